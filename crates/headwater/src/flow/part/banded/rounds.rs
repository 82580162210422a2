//! The steps of [`Bands`]: from north to south over all that do not sleep, several at a visit where no step depends on what others find.

use super::band::Margin;
use super::bands::Bands;
use crate::error::InputError;
use crate::flow::params::Physics;
use crate::flow::part::length::longest;
use crate::flow::sweep;
use crate::flow::walk::arrive;
use crate::part::Peers;
use std::io;

impl Bands {
    /// Does steps of an advance to the time `stop` (s), at most `most`, and says how many; 0 if there was nothing left to do. They are
    /// those that [`Flow::steps_toward`](crate::flow::Flow::steps_toward) does; all peers do them at once.
    ///
    /// # Errors
    /// If `stop` is no finite number, or the shelf fails. The world is of no use then.
    pub(super) fn steps_toward(
        &mut self,
        stop: f64,
        most: usize,
        peers: &mut dyn Peers,
    ) -> io::Result<usize> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")
            .map_err(io::Error::other)?;
        let mut done = 0;
        while done < most {
            let follow = self.world.steps_follow_on();
            let together = if follow { (most - done).min(self.halo / 2) } else { 1 };
            let stable = self.longest(peers)?;
            let mut walk = Walk { passes: Vec::new(), time: self.world.time };
            let mut count = 0;
            while count < together {
                let room = (together - count).min(sweep::MOST);
                let (lengths, more) = self.lengths_from(walk.time, stable, stop, room);
                if more == 0 {
                    break;
                }
                let after = |time, dt: &f64| arrive(time, stop, *dt);
                let time = lengths[..more].iter().fold(walk.time, after);
                walk.passes.push((lengths[..more].to_vec(), walk.time));
                walk.time = time;
                count += more;
            }
            if count == 0 {
                break;
            }
            self.round(&walk, peers)?;
            done += count;
        }
        Ok(done)
    }

    /// As [`Flow::lengths_within`](crate::flow::Flow::lengths_within), from another time (s) on.
    fn lengths_from(
        &mut self,
        time: f64,
        stable: f64,
        stop: f64,
        most: usize,
    ) -> ([f64; sweep::MOST], usize) {
        let now = std::mem::replace(&mut self.world.time, time);
        let lengths = self.world.lengths_within(stable, stop, most);
        self.world.time = now;
        lengths
    }

    /// The longest stable step (s).
    fn longest(&mut self, peers: &mut dyn Peers) -> io::Result<f64> {
        let mut values: Vec<f64> = Vec::new();
        for band in &self.bands {
            if values.is_empty() {
                values.clone_from(&band.wishes);
            } else {
                let all = values.iter_mut().zip(&band.wishes);
                all.for_each(|(most, wish)| *most = most.max(*wish));
            }
        }
        if !values.is_empty() {
            peers.greatest(&mut values);
        }
        let mut loss = [0.0];
        if self.world.params.level == Physics::Inertial {
            // How deep the deepest water is has been found.
            loss = [self.loss(values[0].max(values[1]))?];
            peers.greatest(&mut loss);
        }
        Ok(longest(&self.world, &values, 0.0, |_| loss[0]))
    }

    /// The greatest loss of all bands. Where nothing moves nothing is lost, nor where springs have given to water at rest.
    fn loss(&mut self, deepest: f64) -> io::Result<f64> {
        let mut most = 0.0_f64;
        for i in 0..self.bands.len() {
            if !(self.bands[i].is_still || self.bands[i].is_asleep()) {
                self.load(i)?;
                most = most.max(self.bands[i].part.loss(deepest));
            }
        }
        Ok(most)
    }

    /// Steps every band that does not sleep.
    fn round(&mut self, walk: &Walk, peers: &mut dyn Peers) -> io::Result<()> {
        let count = self.bands.len();
        let single = match &walk.passes[..] {
            [(lengths, _)] if lengths.len() == 1 => Some(lengths[0]),
            _ => None,
        };
        // What is given changes what neighbours see before anything moves.
        let mut begun = vec![false; count];
        for (i, begun) in begun.iter_mut().enumerate() {
            if let Some(dt) = single.filter(|_| self.bands[i].gives) {
                self.load(i)?;
                self.bands[i].begin(dt);
                *begun = true;
            }
        }
        self.refresh(peers);
        let mut logs = Vec::with_capacity(count);
        // The last rows of the band before as they were before its steps, where it has done any.
        let mut before: Option<Margin> = None;
        for (i, begun) in begun.into_iter().enumerate() {
            let (above, rest) = self.bands.split_at(i);
            let [first, last] = self.around.each_ref().map(Option::as_ref);
            let north = above.last().map(|band| before.as_ref().unwrap_or(&band.margins[1]));
            let north = north.or(first);
            let south = rest.get(1).map(|band| &band.margins[0]).or(last);
            if !begun && self.bands[i].sleeps_beside([north, south]) {
                before = None;
                continue;
            }
            self.load(i)?;
            let (above, rest) = self.bands.split_at_mut(i);
            let Some((band, below)) = rest.split_first_mut() else { continue };
            let [first, last] = self.around.each_ref().map(Option::as_ref);
            let before_it = above.last().map(|it| before.as_ref().unwrap_or(&it.margins[1]));
            let beside = [before_it.or(first), below.first().map(|it| &it.margins[0]).or(last)];
            for (side, margin) in beside.iter().enumerate() {
                if let Some(margin) = margin {
                    band.take_over(side, &margin.rows);
                }
            }
            for (lengths, time) in &walk.passes {
                band.part.flow.time = *time;
                match lengths[..] {
                    [dt] => {
                        if !begun {
                            band.part.begin(dt);
                        }
                        band.part.move_water(dt);
                        band.part.flow.end_step(dt);
                    }
                    _ => band.part.pass(lengths),
                }
            }
            band.part.flow.time = walk.time;
            logs.push(band.part.take_log());
            let own = std::mem::take(&mut band.margins[1]);
            band.settle(beside);
            before = Some(own);
        }
        self.rounds.push(logs);
        let last = walk.passes.iter().rev().find_map(|(lengths, _)| lengths.last());
        let steps: usize = walk.passes.iter().map(|(lengths, _)| lengths.len()).sum();
        let world = &mut self.world;
        world.time = walk.time;
        world.steps += steps as u64;
        world.last_dt = last.map_or(world.last_dt, |dt| *dt as f32);
        for band in &mut self.bands {
            let flow = &mut band.part.flow;
            (flow.time, flow.steps, flow.last_dt) = (world.time, world.steps, world.last_dt);
        }
        Ok(())
    }
}

/// Steps that are done at a visit of a band.
struct Walk {
    /// Lengths (s) of those of each pass, and the time (s) that it begins at.
    passes: Vec<(Vec<f64>, f64)>,
    /// The time (s) after all of them.
    time: f64,
}
