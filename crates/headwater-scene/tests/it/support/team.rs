//! A team of threads that stand for ranks. What is said goes over as bytes, as between processes.

use headwater::distributed::ThreadCommunicator;
use headwater_scene::Scene;
use headwater_scene::run::{Begin, Brought, Errand, ModelError, Sharing, Team, Worker};
use std::fmt;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

enum Word {
    Start(Vec<u8>, ThreadCommunicator),
    Do(Vec<u8>),
    Held,
}

/// A thread: what it is told, and what it says.
#[derive(Debug)]
struct Rank(Sender<Word>, Mutex<Receiver<Vec<u8>>>);

/// Threads, as the first process sees the ranks of a job.
#[derive(Debug)]
pub(crate) struct Threads {
    ranks: Vec<Rank>,
    /// How many have parts, and the most bytes that one has said at once.
    state: Mutex<(usize, usize)>,
    sharing: Sharing,
}

impl Threads {
    /// The same, with which a world lies so.
    pub(crate) fn sharing_so(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    /// The rows that each has, and how many have come to it.
    pub(crate) fn held(&self) -> Vec<(Range<usize>, usize)> {
        let count = self.state.lock().unwrap().0;
        self.ranks[..count].iter().for_each(|rank| rank.0.send(Word::Held).unwrap());
        (0..count).map(|number| postcard::from_bytes(&self.heard(number)).unwrap()).collect()
    }

    /// So many, all of which read that scene.
    pub(crate) fn reading(count: usize, scene: &Scene) -> Arc<dyn Team> {
        Arc::new(Self::of(vec![scene.clone(); count]))
    }

    /// As many as scenes, each of which reads one of them.
    pub(crate) fn of(scenes: Vec<Scene>) -> Self {
        let begin = |scene: Scene| {
            let (to, words) = channel::<Word>();
            let (answers, from) = channel();
            std::thread::spawn(move || {
                let mut worker = Worker::reading(move || Ok(scene.clone()));
                let mut peers = None;
                for word in words {
                    let said = match word {
                        Word::Start(start, ring) => {
                            peers = Some(ring);
                            let start: Begin = postcard::from_bytes(&start).unwrap();
                            postcard::to_stdvec(&worker.begin(Some(start)))
                        }
                        Word::Held => {
                            let held = worker.held().unwrap();
                            postcard::to_stdvec(&(held.rows, held.moved))
                        }
                        Word::Do(order) => {
                            let order: Errand = postcard::from_bytes(&order).unwrap();
                            let answer = worker.obey(&order, peers.as_mut().unwrap()).unwrap();
                            postcard::to_stdvec(&answer)
                        }
                    };
                    answers.send(said.unwrap()).unwrap();
                }
            });
            Rank(to, Mutex::new(from))
        };
        let ranks = scenes.into_iter().map(begin).collect();
        Self { ranks, state: Mutex::new((0, 0)), sharing: Sharing::default() }
    }

    fn heard(&self, number: usize) -> Vec<u8> {
        let bytes = self.ranks[number].1.lock().unwrap().recv().unwrap();
        let mut state = self.state.lock().unwrap();
        state.1 = state.1.max(bytes.len());
        bytes
    }

    /// The most bytes that one has said at once.
    pub(crate) fn most_said(&self) -> usize {
        self.state.lock().unwrap().1
    }
}

impl Team for Threads {
    fn name(&self) -> String {
        format!("{} threads", self.ranks.len())
    }

    fn parts(&self) -> usize {
        self.ranks.len()
    }

    fn sharing(&self) -> Sharing {
        self.sharing
    }

    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError> {
        let count = parts.len();
        let rings = ThreadCommunicator::group(count);
        for (number, (start, ring)) in parts.iter().zip(rings).enumerate() {
            let word = Word::Start(postcard::to_stdvec(start).unwrap(), ring);
            self.ranks[number].0.send(word).unwrap();
        }
        self.state.lock().unwrap().0 = count;
        let begun = (0..count).map(|number| {
            let said: Result<(), String> = postcard::from_bytes(&self.heard(number)).unwrap();
            said
        });
        begun.collect::<Vec<_>>().into_iter().collect::<Result<(), _>>().map_err(Into::into)
    }

    fn tell(&self, order: &Errand) -> Result<Vec<Brought>, ModelError> {
        let count = self.state.lock().unwrap().0;
        let order = postcard::to_stdvec(order).unwrap();
        self.ranks[..count].iter().for_each(|rank| rank.0.send(Word::Do(order.clone())).unwrap());
        Ok((0..count).map(|number| postcard::from_bytes(&self.heard(number)).unwrap()).collect())
    }

    fn tell_one(&self, part: usize, order: &Errand) -> Result<Brought, ModelError> {
        let order = postcard::to_stdvec(order).unwrap();
        self.ranks[part].0.send(Word::Do(order)).unwrap();
        Ok(postcard::from_bytes(&self.heard(part)).unwrap())
    }
}

/// A team of which one fails when it is to do steps for that many times.
#[derive(Debug)]
pub(crate) struct Failing {
    pub(crate) team: Arc<dyn Team>,
    pub(crate) left: Mutex<usize>,
}

impl Team for Failing {
    fn name(&self) -> String {
        self.team.name()
    }

    fn parts(&self) -> usize {
        self.team.parts()
    }

    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError> {
        self.team.start(parts)
    }

    fn tell(&self, order: &Errand) -> Result<Vec<Brought>, ModelError> {
        let answers = self.team.tell(order)?;
        if order.is_steps() {
            let mut left = self.left.lock().unwrap();
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(vec![Brought::Failed("the disk is full".into())]);
            }
        }
        Ok(answers)
    }

    fn tell_one(&self, part: usize, order: &Errand) -> Result<Brought, ModelError> {
        self.team.tell_one(part, order)
    }
}

/// A team that is looked at before and after all write what they hold, to go on from: as long as `look` says so, all of them could.
pub(crate) struct Keeping {
    team: Arc<dyn Team>,
    look: Mutex<Look>,
}

/// Is told whether they have written.
type Look = Box<dyn FnMut(bool) -> bool + Send>;

impl Keeping {
    pub(crate) fn new(
        team: Arc<dyn Team>,
        look: impl FnMut(bool) -> bool + Send + 'static,
    ) -> Self {
        Self { team, look: Mutex::new(Box::new(look)) }
    }
}

impl fmt::Debug for Keeping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Keeping").field("team", &self.team).finish_non_exhaustive()
    }
}

impl Team for Keeping {
    fn name(&self) -> String {
        self.team.name()
    }

    fn parts(&self) -> usize {
        self.team.parts()
    }

    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError> {
        self.team.start(parts)
    }

    fn tell(&self, order: &Errand) -> Result<Vec<Brought>, ModelError> {
        let Errand::Keep { .. } = order else { return self.team.tell(order) };
        let mut look = self.look.lock().unwrap();
        look(false);
        let mut answers = self.team.tell(order)?;
        if !look(true) {
            answers.pop();
            answers.push(Brought::Failed("the disk is full".into()));
        }
        Ok(answers)
    }

    fn tell_one(&self, part: usize, order: &Errand) -> Result<Brought, ModelError> {
        self.team.tell_one(part, order)
    }
}
