//! Threads that stand for ranks, each of which keeps some bands of a world. What is asked and told goes over as bytes.

use headwater::Field;
use headwater::distributed::{Communicator, PageStore, ThreadCommunicator};
use headwater::distributed::{LocalBlocks, Request, Response, Workers};
use headwater::flow::View;
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a rank is to do, with its peers where all are told the same.
type Work = Box<dyn FnOnce(&mut LocalBlocks, &mut dyn Communicator) -> Vec<u8> + Send>;

/// What a rank hears, and what is heard from it.
type Lines = (Sender<Work>, Mutex<Receiver<Vec<u8>>>);

/// What ranks do not hear of one another: a test that such ranks pass tests nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deaf {
    /// From when on (swaps) rows that come are left as they were.
    pub(crate) to_rows_from: Option<usize>,
    /// Whether each takes its own greatest for that of all.
    pub(crate) to_the_greatest: bool,
}

/// A communicator that drops some messages.
struct Muffled {
    ring: ThreadCommunicator,
    deaf: Deaf,
    swaps: usize,
}

impl Communicator for Muffled {
    fn allreduce_max(&mut self, values: &mut [f64]) {
        let own = values.to_vec();
        self.ring.allreduce_max(values);
        if self.deaf.to_the_greatest {
            values.copy_from_slice(&own);
        }
    }

    fn exchange_halos(&mut self, to: [&[f32]; 2], [north, south]: [&mut [f32]; 2]) {
        let old = [north.to_vec(), south.to_vec()];
        self.ring.exchange_halos(to, [&mut *north, &mut *south]);
        if self.deaf.to_rows_from.is_some_and(|from| self.swaps >= from) {
            north.copy_from_slice(&old[0]);
            south.copy_from_slice(&old[1]);
        }
        self.swaps += 1;
    }

    /// As late as can be: what is done meanwhile sees nothing of it.
    fn exchange_halos_overlapped(
        &mut self,
        to: [&[f32]; 2],
        from: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        work(&mut || {});
        self.exchange_halos(to, from);
    }

    fn exchange_bytes(&mut self, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2] {
        self.ring.exchange_bytes(beside, to)
    }
}

/// Threads with bands of a world, from north to south; they end with this.
#[derive(Debug)]
pub(crate) struct Ranks(Vec<Lines>);

impl Ranks {
    pub(crate) fn of(bands: Vec<LocalBlocks>, deaf: Deaf) -> Self {
        let peers = ThreadCommunicator::group(bands.len());
        let begin = |(mut bands, ring): (LocalBlocks, ThreadCommunicator)| {
            let mut peers = Muffled { ring, deaf, swaps: 0 };
            let (to, orders) = channel::<Work>();
            let (answers, from) = channel();
            std::thread::spawn(move || {
                for work in orders {
                    answers.send(work(&mut bands, &mut peers)).unwrap();
                }
            });
            (to, Mutex::new(from))
        };
        Self(bands.into_iter().zip(peers).map(begin).collect())
    }

    fn begin(&self, number: usize, work: Work) {
        self.0[number].0.send(work).unwrap();
    }

    fn end(&self, number: usize) -> Vec<u8> {
        self.0[number].1.lock().unwrap().recv().unwrap()
    }

    /// A layer in the rows of each rank.
    pub(crate) fn layers(&self, view: View) -> Vec<Field<f32>> {
        let all = 0..self.0.len();
        for number in all.clone() {
            let look = move |bands: &mut LocalBlocks, peers: &mut dyn Communicator| {
                bands.refresh(peers);
                let (mut rows, nx) = (bands.rows(), bands.lattice().nx());
                let (count, mut values) = (rows.len(), Vec::new());
                while !rows.is_empty() {
                    let look = |band: headwater::distributed::BlockView<'_>| {
                        (band.rows().end, band.layer(view))
                    };
                    let (end, field) = bands.look(rows.start, look).unwrap();
                    values.extend_from_slice(field.as_slice());
                    rows.start = end;
                }
                let field = Field::from_vec(nx, count, values).unwrap();
                postcard::to_stdvec(&field).unwrap()
            };
            self.begin(number, Box::new(look));
        }
        all.map(|number| postcard::from_bytes(&self.end(number)).unwrap()).collect()
    }

    /// The rows of each, and how many rows have come to it from others.
    pub(crate) fn rows(&self) -> Vec<(Range<usize>, usize)> {
        let all = 0..self.0.len();
        for number in all.clone() {
            let tell = |bands: &mut LocalBlocks, _: &mut dyn Communicator| {
                postcard::to_stdvec(&(bands.rows(), bands.moved())).unwrap()
            };
            self.begin(number, Box::new(tell));
        }
        all.map(|number| postcard::from_bytes(&self.end(number)).unwrap()).collect()
    }

    /// Changes where it rains how hard.
    pub(crate) fn set_rain_map(
        &self,
        map: impl Fn(Range<usize>) -> Field<f32> + Clone + Send + 'static,
    ) {
        for number in 0..self.0.len() {
            let map = map.clone();
            let set = move |bands: &mut LocalBlocks, _: &mut dyn Communicator| {
                bands.set_rain_map(map).unwrap();
                Vec::new()
            };
            self.begin(number, Box::new(set));
            self.end(number);
        }
    }

    /// Has all keep their bands on a shelf; the rows of these.
    pub(crate) fn keep_on(&self, shelf: &(impl PageStore + Clone + 'static)) -> Vec<Range<usize>> {
        let all = 0..self.0.len();
        for number in all.clone() {
            let mut shelf = shelf.clone();
            let keep = move |bands: &mut LocalBlocks, _: &mut dyn Communicator| {
                postcard::to_stdvec(&bands.keep_on(&mut shelf).unwrap()).unwrap()
            };
            self.begin(number, Box::new(keep));
        }
        let kept = all.map(|number| postcard::from_bytes(&self.end(number)).unwrap());
        kept.collect::<Vec<Vec<Range<usize>>>>().concat()
    }

    /// Has all go on from there; what one of them says that cannot.
    pub(crate) fn go_on_from(
        &self,
        kept: &[Range<usize>],
        shelf: &(impl PageStore + Clone + 'static),
    ) -> Result<(), String> {
        let all = 0..self.0.len();
        for number in all.clone() {
            let (kept, mut shelf) = (kept.to_vec(), shelf.clone());
            let go_on = move |bands: &mut LocalBlocks, _: &mut dyn Communicator| {
                let done = bands.go_on_from(&kept, &mut shelf);
                postcard::to_stdvec(&done.map_err(|error| error.to_string())).unwrap()
            };
            self.begin(number, Box::new(go_on));
        }
        let done = all.map(|number| postcard::from_bytes(&self.end(number)).unwrap());
        done.collect::<Vec<Result<(), String>>>().into_iter().collect()
    }

    fn ask(&self, number: usize, ask: &Request) {
        let ask = postcard::to_stdvec(ask).unwrap();
        self.begin(
            number,
            Box::new(move |bands, peers| {
                let ask: Request = postcard::from_bytes(&ask).unwrap();
                let told = bands.answer(&ask, peers).map_err(|error| error.to_string());
                postcard::to_stdvec(&told).unwrap()
            }),
        );
    }

    fn told(&self, number: usize) -> io::Result<Response> {
        let told: Result<Response, String> = postcard::from_bytes(&self.end(number)).unwrap();
        told.map_err(io::Error::other)
    }
}

impl Workers for Ranks {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>> {
        (0..self.0.len()).for_each(|number| self.ask(number, ask));
        let all: Vec<_> = (0..self.0.len()).map(|number| self.told(number)).collect();
        all.into_iter().collect()
    }

    fn one(&mut self, number: usize, ask: &Request) -> io::Result<Response> {
        self.ask(number, ask);
        self.told(number)
    }
}
