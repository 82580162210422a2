//! stub
use crate::flow::state::{Scratch, State};
use crate::flow::step::Step;
pub(in crate::flow) fn drive(state: &mut State, scratch: &mut Scratch, step: &Step) {
    super::plain::drive(state, scratch, step);
}
pub(in crate::flow) fn settle(state: &mut State, scratch: &mut Scratch, step: &Step) {
    super::plain::settle(state, scratch, step);
}
