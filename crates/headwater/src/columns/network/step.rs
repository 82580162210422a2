//! Time step of the networks (groups of columns coupled by pressure): sets up the equations, solves
//! them for the pressure heads, and computes the flows.

use super::super::layout::rects::{Hole, HoleSide};
use super::super::layout::{Joint, Layout, MAX_LEVEL, NO_CEILING};
use super::super::state::{CRITICAL_FLOW, Edge, MAX_OUTFLOW, State, StepContext};
use super::chain::{Chain, LinearSystem};
use super::link::EdgeFlow;
use super::newton::Problem;
use super::node::{Column, Node, VesselEquation};
use super::state::SEPARATE;
use crate::columns::layout::vessel::Vessel;
use crate::columns::solver::pressure::{Heads, NONE, SPEED_OF_SOUND};

/// Weight θ of the velocity at the end of the step in the mean velocity, for water in which waves
/// propagate (dimensionless). A value above one half damps oscillations.
const NEW_VELOCITY_WEIGHT: f64 = 0.55;

/// Largest accepted residual of a column's equation (in height quanta, the integer unit of height).
const RESIDUAL_TOLERANCE: f64 = 0.02;

/// Courant number of a jet of water from a full column: the largest number of columns that the jet
/// crosses per step.
const MAX_COURANT: f64 = 4.0;

/// Divisor for the definition of a nearly full column: the gap between its water surface and its
/// ceiling is at most its height divided by this number. A jet out of a column continues while the
/// column is nearly full.
const NEARLY_FULL_DIVISOR: i32 = 16;

/// Smallest fraction of a hole's width that is available to the water of one joint (an opening
/// between two pools), however much water falls through the hole from higher floors.
const MIN_WIDTH_FRACTION: f64 = 0.01;

/// Largest number of passes for reducing the flows out of columns that would lose more water than
/// they have.
const MAX_PASSES: usize = 16;

/// Computes the pressure heads of all networks (columns coupled by pressure), updates the
/// velocities, and appends the amounts of water that flow in this step (height quanta of water in
/// one column, positive to the east). Flows between columns of a pool are appended to `flows`, each
/// with the index of the western column. Flows between pools are appended to `fluxes`, each with
/// the index of the joint.
pub(in super::super) fn solve_networks(
    step: &StepContext,
    heads: &mut Heads,
    state: &mut State,
    fluxes: &mut Vec<(usize, i32)>,
    flows: &mut Vec<(usize, i32)>,
) {
    if heads.network_parts.is_empty() {
        return;
    }
    let mut problem = step.scratch.take::<Problem>();
    let work = NetworkStep { step, width: step.layout.width };
    work.build_problem(&mut problem, heads, state, fluxes, flows);
    problem.solve(RESIDUAL_TOLERANCE * step.layout.quantum);
    work.apply_solution(&mut problem, heads, state, fluxes, flows);
}

/// Flow through an edge at the start of a step: the velocity (m/s), and the thickness of the
/// flowing layer of water in the last step (m; see [`NetworkState`](super::NetworkState)).
#[derive(Clone, Copy)]
struct EdgeMotion {
    speed: f32,
    carried_height: f32,
}

/// Part of a hole in a floor through which the water of one joint flows.
struct HolePassage {
    hole: Hole,
    /// Width of the part (m).
    width: f64,
    /// Discharge (m²/s, positive to the east) that passes below the hole, to or from the opposite
    /// joint.
    bypass: f64,
}

struct NetworkStep<'a, 's> {
    step: &'a StepContext<'s>,
    width: f64,
}

impl NetworkStep<'_, '_> {
    fn build_problem(
        &self,
        problem: &mut Problem,
        heads: &Heads,
        state: &State,
        fluxes: &[(usize, i32)],
        flows: &[(usize, i32)],
    ) {
        let StepContext { layout, step: dt, gravity, scratch, .. } = *self.step;
        let Problem {
            nodes,
            columns,
            vessels,
            vessel_of,
            links,
            joints,
            chains,
            cross_edges,
            inflow,
            ..
        } = problem;
        [&mut *columns, joints, cross_edges].into_iter().for_each(Vec::clear);
        nodes.clear();
        vessels.clear();
        links.clear();
        chains.clear();
        inflow.clear();
        problem.rise_per_flow = dt / self.width;
        problem.heads.clear();
        let mut ends = scratch.take_vec();
        let mut couplings = scratch.take_vec();
        let ranks = layout.elimination_ranks();
        let all = heads.network_parts.last().map_or(0, |part| heads.node[part.columns.end - 1] + 1);
        vessel_of.clear();
        vessel_of.resize(all as usize, all + heads.vessels.len() as u32);
        let mut remaining_vessels = heads.vessels.iter().peekable();
        for part in &heads.network_parts {
            let own = part.columns.clone();
            let pool = &layout.pools[part.pool].columns;
            for c in own.clone() {
                columns.push(c as u32);
                let column = self.column(heads, c, state.depth[c]);
                nodes.push(Node::new(&column, gravity, SPEED_OF_SOUND));
                problem.heads.push(column.surface + layout.to_metres(heads.guess[c]));
            }
            let mut from = own.start;
            while from < own.end {
                let vessel =
                    remaining_vessels.peek().filter(|vessel| vessel.columns.start < own.end);
                let (to, vessel_node) = match vessel {
                    Some(vessel) if vessel.columns.start == from => {
                        let vessel_node = all as usize + vessels.len();
                        let rise = self.initial_vessel_rise(state, vessel);
                        let mass = f64::from(vessel.moving_height);
                        vessels.push(VesselEquation::new(
                            vessel.columns.len(),
                            mass,
                            rise,
                            gravity,
                            dt,
                        ));
                        (vessel.columns.end, Some(vessel_node))
                    }
                    Some(vessel) => (vessel.columns.start, None),
                    None => (own.end, None),
                };
                if let Some(vessel_node) = vessel_node {
                    remaining_vessels.next();
                    let [first, last] = [from, to - 1].map(|c| heads.node[c] as usize);
                    vessel_of[first..=last].fill(vessel_node as u32);
                    ends.push((0, vessel_node as u32));
                }
                let link = links.len();
                for c in from..to.min(own.end - 1) {
                    let edge = heads.edge(layout, &state.depth, c, c + 1);
                    let at = heads.node[c];
                    let motion =
                        EdgeMotion { speed: state.speed[c], carried_height: state.network.edge[c] };
                    links.push(self.make_link(
                        heads,
                        &edge,
                        [c, c + 1],
                        [at, at + 1],
                        motion,
                        None,
                    ));
                }
                let [first, last] = [from, to - 1].map(|c| heads.node[c]);
                let inner = link..link + (to - from - 1);
                if to < own.end {
                    cross_edges.push(inner.end as u32);
                }
                let nodes = first as usize..last as usize + 1;
                let chain = Chain { nodes, links: inner, vessel: vessel_node };
                couplings.extend(LinearSystem::reduced_couplings(&chain));
                chains.push(chain);
                // Ends that couple to other chains are ordered by position on the grid. All other
                // nodes come before them.
                let rank = |c: usize| match c {
                    _ if c == pool.start => ranks[2 * part.pool] + 1,
                    _ if c + 1 == pool.end => ranks[2 * part.pool + 1] + 1,
                    _ => 0,
                };
                ends.push((rank(from), first));
                if first != last {
                    ends.push((rank(to - 1), last));
                }
                from = to;
            }
        }
        // Heads of vessels start at 0. The last entry represents "no vessel" and stays 0.
        problem.heads.resize(problem.heads.len() + vessels.len() + 1, 0.0);
        for &link in cross_edges.iter() {
            couplings.push(links[link as usize].ends);
        }
        problem.joints_start = links.len();
        inflow.resize(columns.len(), 0.0);
        for (number, joint) in layout.joints.iter().enumerate() {
            if !heads.is_joint_linked(self.step, number) {
                continue;
            }
            let sides = [joint.left, joint.right];
            let edge = heads.opening(layout, &state.depth, sides, joint.sill, joint.lintel);
            let motion = EdgeMotion {
                speed: state.joint_speed[number],
                carried_height: state.network.joint[number],
            };
            let at = sides.map(|c| heads.node[c]);
            joints.push(number as u32);
            cross_edges.push(links.len() as u32);
            let hole = joint.hole.map(|hole| self.hole_passage(state, number, hole));
            links.push(self.make_link(heads, &edge, sides, at, motion, hole));
            couplings.push(at);
        }
        let mut bring = |[west, east]: [usize; 2], flux: i32| {
            for (c, sign) in [(west, -1.0), (east, 1.0)] {
                if heads.node[c] != NONE {
                    inflow[heads.node[c] as usize] += sign * layout.to_metres(flux);
                }
            }
        };
        flows.iter().for_each(|&(c, flux)| bring([c, c + 1], flux));
        for &(number, flux) in fluxes {
            let joint = &layout.joints[number];
            bring([joint.left, joint.right], flux);
        }
        problem.ends.set_pattern(&mut ends, &couplings, problem.heads.len());
    }

    /// Returns the part of a hole in a floor that is available to the water of one joint (an
    /// opening between two pools).
    fn hole_passage(&self, state: &State, joint: usize, hole: Hole) -> HolePassage {
        let bypass = self.bypass_flow(state, joint, &hole);
        let width = match bypass {
            Some(_) => 0.5 * hole.columns as f64 * self.width,
            None => self.hole_width(state, joint, &hole),
        };
        HolePassage { hole, width, bypass: bypass.unwrap_or(0.0) }
    }

    /// Returns the discharge (m²/s, positive to the east) that passed below a hole in a floor in
    /// the last step, from one joint (opening between two pools) to the opposite one. Returns
    /// `None` unless both joints are submerged. Only then does the space below the hole have a
    /// single head, so that the loss in the hole depends on the total discharge through the hole.
    fn bypass_flow(&self, state: &State, joint: usize, hole: &Hole) -> Option<f64> {
        let layout = self.step.layout;
        let opposite = hole.opposite.filter(|_| hole.side == HoleSide::Below)?;
        let joints = [joint, opposite as usize];
        let are_submerged = joints.iter().all(|&number| {
            let Joint { left, right, lintel, .. } = layout.joints[number];
            [left, right].iter().all(|&c| layout.floor[c] + state.depth[c] >= lintel)
        });
        let discharge = |number: usize| {
            f64::from(state.joint_speed[number]) * f64::from(state.network.joint[number].max(0.0))
        };
        are_submerged.then(|| 0.5 * joints.map(discharge).iter().sum::<f64>())
    }

    /// Returns the width (m) of a hole in a floor that is available to the water of one joint (an
    /// opening between two pools). Water that falls from a higher floor reduces this width.
    fn hole_width(&self, state: &State, joint: usize, hole: &Hole) -> f64 {
        let StepContext { layout, gravity, .. } = *self.step;
        let discharge = |number: usize| {
            let carried = f64::from(state.network.joint[number].max(0.0));
            f64::from(state.joint_speed[number].abs()) * carried
        };
        let share = layout.hole_share(joint, hole, &state.depth, discharge);
        let width = share * hole.columns as f64 * self.width;
        if hole.side == HoleSide::Below {
            return width;
        }
        let from_above = layout.joints_higher_up(*hole).map(discharge);
        let from_above = share * from_above.sum::<f64>();
        let Joint { left, right, sill, .. } = layout.joints[joint];
        let top = [left, right].map(|c| layout.floor[c] + state.depth[c]).into_iter().max();
        let head = layout.to_metres(top.map_or(0, |top| (top - sill).max(1)));
        let all = width * (2.0 * gravity * head).sqrt();
        width * (1.0 - from_above / all).max(MIN_WIDTH_FRACTION)
    }

    fn column(&self, heads: &Heads, column: usize, depth: i32) -> Column {
        let layout = self.step.layout;
        let (floor, ceiling) = (layout.floor[column], layout.ceiling[column]);
        Column {
            surface: layout.to_metres(floor + depth),
            ceiling: (ceiling < NO_CEILING)
                .then(|| [layout.to_metres(ceiling), layout.to_metres(ceiling - floor)]),
            air: layout.to_metres(heads.air[column]),
        }
    }

    /// Returns the velocity (m/s) at which the water of a vessel (columns whose water moves as one
    /// mass) rises at the start of the step. It is the mean over the columns. Water that has just
    /// joined the vessel reduces the velocity, so that the kinetic energy does not increase.
    fn initial_vessel_rise(&self, state: &State, vessel: &Vessel) -> f64 {
        let own = |c: usize| {
            let (rise, before) = (state.network.rise[c], state.network.mass[c]);
            let share = (before / vessel.moving_height).min(1.0).sqrt();
            f64::from(rise * share)
        };
        vessel.columns.clone().map(own).sum::<f64>() / vessel.columns.len() as f64
    }

    fn make_link(
        &self,
        heads: &Heads,
        edge: &Edge,
        sides: [usize; 2],
        ends: [u32; 2],
        motion: EdgeMotion,
        passage: Option<HolePassage>,
    ) -> EdgeFlow {
        let StepContext { layout, rule, gravity, step: dt, .. } = *self.step;
        let height = edge.lintel - edge.sill;
        let full = sides.map(|c| heads.full[c]);
        let collective = f64::from(heads.collective[sides[0]].max(heads.collective[sides[1]]));
        let over = [0, 1].map(|side| edge.surface[side] - edge.sill);
        let shut = height <= 0;
        let mut link = EdgeFlow { ends, ..EdgeFlow::default() };
        if shut {
            return link;
        }
        // A jet continues while the column behind it is nearly full.
        let jet = [0, 1].map(|side| {
            let c = sides[side];
            let margin = (layout.ceiling[c] - layout.floor[c]) / NEARLY_FULL_DIVISOR;
            let outward = if side == 0 { motion.speed } else { -motion.speed };
            let critical = f64::from(CRITICAL_FLOW)
                * (gravity * layout.to_metres(edge.open_height(side))).sqrt();
            full[side]
                || layout.ceiling[c] == edge.lintel
                    && edge.surface[side] >= layout.ceiling[c] - margin
                    && f64::from(outward) > critical
        });
        let drowned = [0, 1].map(|side| over[side] >= height || edge.ice[side] > 0 || jet[side]);
        let waves = [0, 1].map(|side| edge.open_height(side).min(rule.wave_depth));
        link.carrying_height = [0, 1].map(|side| {
            let all = layout.to_metres(edge.open_height(side));
            let wave = layout.to_metres(waves[side]);
            if over[1 - side] <= 0 { all } else { wave + collective * (all - wave) }
        });
        link.max_speed = [0, 1].map(|side| {
            let all = layout.to_metres(edge.open_height(side));
            let crest = if over[1 - side] <= 0 { f64::from(CRITICAL_FLOW) } else { 1.0 };
            match all {
                0.0 => 0.0,
                _ if drowned[side] => f64::INFINITY,
                // The velocity is that of the flowing water, and the limit that of all water.
                _ => crest * (gravity * all).sqrt() * all / link.carrying_height[side],
            }
        });
        let give = f64::from(MAX_OUTFLOW) * self.width / dt;
        let gives = |side: usize| give * layout.to_metres((over[side] - edge.ice[side]).max(0));
        link.safe_flow = [0, 1].map(gives);
        link.max_flow = link.safe_flow;
        for side in [0, 1] {
            if jet[side] && !self.step.carries_heat {
                link.max_flow[side] *= MAX_COURANT / f64::from(MAX_OUTFLOW);
            }
            // Otherwise, water that does not flow would gain energy.
            if link.carrying_height[side] > 0.0 {
                let fastest = link.max_flow[side] / link.carrying_height[side];
                link.max_speed[side] = link.max_speed[side].min(fastest);
            }
        }
        let shaft = |hole: &Hole| usize::from(layout.pool_of(sides[1]) == hole.pool as usize);
        let stands_in = |hole: &Hole| edge.surface[shaft(hole)] > hole.floor;
        let passes_hole = |hole: &Hole| match hole.side {
            HoleSide::Above => over[shaft(hole)] <= 0,
            HoleSide::Below => drowned[0] && drowned[1] || stands_in(hole),
        };
        link.loss = [0, 1].map(|side| {
            let mut share = loss_fraction(layout, edge, sides, jet, side);
            if let Some(HolePassage { hole, width, .. }) = &passage
                && passes_hole(hole)
            {
                let through = link.carrying_height[side] / width;
                share = share.max(through * through);
            }
            f64::from(rule.loss) * share
        });
        if let Some(HolePassage { bypass, .. }) = &passage
            && link.carrying_height[0] > 0.0
        {
            link.bypass_speed = bypass / link.carrying_height[0];
        }
        let speed = self.initial_speed(edge, motion, &link);
        let head = |side: usize| {
            let column = sides[side];
            (edge.surface[side] + heads.guess[column]).max(edge.sill)
        };
        let ice_decay = if edge.is_ice_covered() { rule.decay_below_ice } else { 1.0 };
        let decay = ice_decay * rule.wave_decay(speed as f32, (head(1) - head(0)) as f32);
        link.speed = f64::from(decay) * speed;
        link.weight = NEW_VELOCITY_WEIGHT + (1.0 - NEW_VELOCITY_WEIGHT) * collective;
        link.velocity_per_head = link.weight * gravity * dt / self.width;
        let below = [0, 1].map(|side| {
            let head = edge.surface[side] + heads.air[sides[side]];
            // Water that stands in a hole falls from there into the space below the floor.
            let outward = if side == 1 { motion.speed } else { -motion.speed };
            let falls = |hole: &Hole| {
                let is_room = hole.side == HoleSide::Below && side != shaft(hole);
                is_room && stands_in(hole) && !full[side] && outward >= 0.0
            };
            let end = match &passage {
                Some(HolePassage { hole, .. }) if falls(hole) => hole.floor,
                _ => edge.sill,
            };
            layout.to_metres((end - head).max(0))
        });
        link.sill_offset = below[1] - below[0];
        link.max_rise = f64::INFINITY;
        let open = !drowned[0] && !drowned[1] && !full[0] && !full[1];
        if open {
            link.levelling_rate = f64::from(rule.spread) * self.width / dt;
            if !edge.is_under_body[0] && !edge.is_under_body[1] && over[0] > 0 && over[1] > 0 {
                link.breaking_rate = f64::from(rule.breaking) * self.width / dt;
                link.max_rise = f64::from(rule.max_rise) * layout.quantum;
            }
        }
        link
    }

    /// Returns the velocity at an edge at the start of the step (m/s). The velocity is limited so
    /// that the kinetic energy of the flow through the edge does not increase.
    fn initial_speed(
        &self,
        edge: &Edge,
        EdgeMotion { speed, carried_height }: EdgeMotion,
        link: &EdgeFlow,
    ) -> f64 {
        let rule = self.step.rule;
        let (own, energy) = if carried_height == SEPARATE {
            // Outside networks, velocities are staggered half a step before the heads.
            let next = f64::from(rule.edge_flux(speed, edge).0);
            let reached =
                self.step.layout.to_metres(edge.flowing_layer_thickness(speed, rule.wave_depth));
            (0.5 * (f64::from(speed) + next), reached * f64::from(speed) * next)
        } else {
            (f64::from(speed), f64::from(carried_height) * f64::from(speed) * f64::from(speed))
        };
        let carries = link.carrying_height[usize::from(own <= 0.0)];
        let max_speed = energy.max(0.0).sqrt();
        let now = carries.sqrt() * own.abs();
        if now <= max_speed { own } else { own * (max_speed / now) }
    }

    fn apply_solution(
        &self,
        problem: &mut Problem,
        heads: &mut Heads,
        state: &mut State,
        fluxes: &mut Vec<(usize, i32)>,
        flows: &mut Vec<(usize, i32)>,
    ) {
        let StepContext { layout, step: dt, .. } = *self.step;
        let quanta = self.step.step / (self.width * layout.quantum);
        let mut moved = std::mem::take(&mut problem.moved);
        moved.clear();
        moved.extend(problem.links.iter().map(|link| {
            let difference = link.head_difference(&problem.heads);
            (link.discharge(difference).0 * quanta) as i32
        }));
        self.limit_to_supply(&*problem, heads, state, quanta, &mut moved);
        for (place, (link, &flux)) in problem.links.iter().zip(moved.iter()).enumerate() {
            let difference = link.head_difference(&problem.heads);
            let (velocity, carries, _) = link.velocity(difference);
            let wanted = (link.discharge(difference).0 * quanta) as i32;
            let share = if flux == wanted { 1.0 } else { f64::from(flux) / f64::from(wanted) };
            let speed = match carries {
                0.0 => velocity,
                _ => link.speed + (velocity - link.speed) / link.weight,
            };
            let speed = (speed * share) as f32;
            match place.checked_sub(problem.joints_start) {
                None => {
                    let c = problem.columns[link.ends[0] as usize] as usize;
                    state.speed[c] = speed;
                    state.network.edge[c] = carries as f32;
                    flows.push((c, flux));
                }
                Some(joint) => {
                    let number = problem.joints[joint] as usize;
                    state.joint_speed[number] = speed;
                    state.network.joint[number] = carries as f32;
                    fluxes.push((number, flux));
                }
            }
        }
        problem.moved = moved;
        fluxes.sort_unstable();
        heads.network_parts.iter().for_each(|part| state.network.linked[part.pool] = true);
        for (place, &c) in problem.columns.iter().enumerate() {
            let c = c as usize;
            let head = problem.heads[place];
            let (rise, _, full) = problem.rise(place);
            let surface = layout.to_metres(layout.floor[c] + state.depth[c]) + rise;
            heads.excess[c] = match full {
                true => layout.to_quanta(head - surface).clamp(-MAX_LEVEL, MAX_LEVEL),
                false => heads.air[c],
            };
            (state.network.rise[c], state.network.mass[c]) = (0.0, 0.0);
        }
        for (number, vessel) in heads.vessels.iter().enumerate() {
            let place = problem.nodes.len() + number;
            let risen = problem.vessels[number].total_rise(problem.heads[place]);
            let rise = risen / (vessel.columns.len() as f64 * dt);
            state.network.rise[vessel.columns.clone()].fill(rise as f32);
            state.network.mass[vessel.columns.clone()].fill(vessel.moving_height);
        }
    }
}

impl NetworkStep<'_, '_> {
    /// Reduces the flows `edge_flows` (height quanta of water in one column) so that no column
    /// loses more water than it holds and receives. `quanta` converts a discharge (m²/s) to the
    /// flow in one step.
    fn limit_to_supply(
        &self,
        problem: &Problem,
        heads: &Heads,
        state: &State,
        quanta: f64,
        edge_flows: &mut [i32],
    ) {
        let safe = |link: &EdgeFlow, flux: i32| {
            let [west, east] = link.safe_flow.map(|flow| (flow * quanta) as i32);
            flux.clamp(-east, west)
        };
        let is_safe = |(link, &flux): (&EdgeFlow, &i32)| flux == safe(link, flux);
        if problem.links.iter().zip(edge_flows.iter()).all(is_safe) {
            return;
        }
        let layout = self.step.layout;
        let held = |place: usize| {
            let c = problem.columns[place] as usize;
            let inflow = layout.to_quanta(problem.inflow[place]);
            i64::from(state.depth[c] - heads.ground[c] - heads.ice[c] + inflow)
        };
        let donor = |link: &EdgeFlow, flux: i32| link.ends[usize::from(flux < 0)] as usize;
        for _ in 0..MAX_PASSES {
            let mut left: Vec<i64> = (0..problem.nodes.len()).map(held).collect();
            let mut outflow = vec![0_i64; problem.nodes.len()];
            for (link, &flux) in problem.links.iter().zip(edge_flows.iter()) {
                let [west, east] = link.ends.map(|end| end as usize);
                left[west] -= i64::from(flux);
                left[east] += i64::from(flux);
                outflow[donor(link, flux)] += i64::from(flux.abs());
            }
            if left.iter().all(|&left| left >= 0) {
                return;
            }
            for (link, flux) in problem.links.iter().zip(edge_flows.iter_mut()) {
                let from = donor(link, *flux);
                if left[from] < 0 && *flux != 0 {
                    let share =
                        ((left[from] + outflow[from]) as f64 / outflow[from] as f64).max(0.0);
                    *flux = (f64::from(*flux) * share) as i32;
                }
            }
        }
        for (link, flux) in problem.links.iter().zip(edge_flows) {
            *flux = safe(link, *flux);
        }
    }
}

/// Returns the fraction of the velocity head that is lost at an edge if the water comes from `side`
/// (0: west, 1: east). Nothing is lost if the column on this side has a free surface. A jet from a
/// full column into a column with a free surface loses its whole velocity head. Between full
/// columns, the loss is that of a sudden enlargement (Borda–Carnot). A column that feeds a jet and
/// is nearly full must also be marked in `full`.
fn loss_fraction(
    layout: &Layout,
    edge: &Edge,
    sides: [usize; 2],
    full: [bool; 2],
    side: usize,
) -> f64 {
    match [full[side], full[1 - side]] {
        [false, _] => 0.0,
        [true, false] => 1.0,
        [true, true] => {
            let beyond = sides[1 - side];
            let height = layout.ceiling[beyond] - layout.floor[beyond];
            let lost = 1.0 - f64::from(edge.lintel - edge.sill) / f64::from(height);
            lost * lost
        }
    }
}

/// Sets the velocities at edges that have left their network (columns coupled by pressure). Outside
/// networks, velocities are stored for a time half a step before that of the depths, so these
/// velocities are moved back by half a step. Their magnitudes are limited so that the kinetic
/// energy does not increase.
pub(in super::super) fn release_edges(step: &StepContext, heads: &Heads, state: &mut State) {
    let layout = step.layout;
    let half = |speed: f32, carried_height: f32, edge: &Edge| {
        if speed == 0.0 || carried_height < 0.0 {
            return speed;
        }
        let above = |i: usize| (edge.surface[i] + edge.excess[i] - edge.sill).max(0);
        let head = (above(1) - above(0)) as f32;
        let reached =
            layout.to_metres(edge.flowing_layer_thickness(speed, step.rule.wave_depth)) as f32;
        let share = if carried_height < reached { (carried_height / reached).sqrt() } else { 1.0 };
        share * speed + 0.5 * step.rule.velocity_per_quantum * head
    };
    for (number, joint) in layout.joints.iter().enumerate() {
        let carried_height = state.network.joint[number];
        if carried_height != SEPARATE && !heads.is_joint_linked(step, number) {
            let ends = [joint.left, joint.right];
            let edge = heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
            state.joint_speed[number] = half(state.joint_speed[number], carried_height, &edge);
            state.network.joint[number] = SEPARATE;
        }
    }
    for &pool in step.awake {
        let pool = pool as usize;
        if !state.network.linked[pool] {
            continue;
        }
        let columns = layout.pools[pool].columns.clone();
        for c in columns.clone() {
            let carried_height = state.network.edge[c];
            if carried_height != SEPARATE && c + 1 < columns.end && !heads.is_edge_linked(c) {
                let edge = heads.edge(layout, &state.depth, c, c + 1);
                state.speed[c] = half(state.speed[c], carried_height, &edge);
                state.network.edge[c] = SEPARATE;
            }
            if heads.node[c] == NONE {
                (state.network.mass[c], state.network.rise[c]) = (0.0, 0.0);
            }
        }
        state.network.linked[pool] = false;
    }
}
