//! Tests of live worlds on a GPU. The same actions must lead to the same state, regardless of the
//! device that steps the world and of when the world moves to another device. They need an adapter;
//! the software adapter of mesa-vulkan-drivers is sufficient.

use headwater_gpu::Gpu;
use headwater_scene::flow::FlowWorld;
use headwater_scene::live::{Dab, History, Live};
use headwater_scene::run::Backend;
use headwater_scene::waves::WavesWorld;
use toml::{Table, Value};

const FLOW: &str = r#"
model = "flow"
[grid]
nx = 40
ny = 30
cell = 2
[time]
until = 8
[terrain]
noise = { height = 2 }
[water]
depth = 1
[rain]
rate = 20
[[event]]
do = "pour"
time = 3.3
amount = 0.5
disc = { center = [20, 20], radius = 8 }
[[gauge]]
name = "middle"
at = [40, 30]
"#;

const WAVES: &str = r#"
model = "waves"
[grid]
nx = 64
ny = 48
cell = 0.1
[time]
until = 4
[[land]]
disc = { center = [1, 1], radius = 0.6 }
[[start]]
at = [4, 2]
radius = 0.5
depth = 0.05
[rain]
rate = 0.5
radius = 0.4
depth = 0.02
[[gauge]]
name = "energy"
measure = "energy"
"#;

/// Returns three values: a world on the CPU, a copy of this world on a GPU, and whether the steps
/// of the two match bit for bit.
fn cpu_and_gpu_world(text: &str, backend: &Backend) -> (Live, Live, bool) {
    let cpu_world = Live::new("here", text).unwrap();
    let mut gpu_world = Live::new("there", text).unwrap();
    gpu_world.set_backend(backend).unwrap();
    let exact = matches_cpu_bit_for_bit(&gpu_world, backend);
    (cpu_world, gpu_world, exact)
}

fn step_worlds(worlds: [&mut Live; 2], count: u64) {
    for live in worlds {
        live.take_steps(count).unwrap();
    }
}

/// Destroys the GPU device, and steps the world until the loss is reported. The loss is reported
/// only after pending GPU work has ended.
fn lose_device(backend: &Backend, live: &mut Live) {
    let Backend::Gpu(gpu) = backend else { unreachable!() };
    gpu.destroy();
    for _ in 0..8 {
        if live.backend().is_device() {
            live.step().unwrap();
        }
    }
}

fn gpu_backend() -> Backend {
    Backend::Gpu(Gpu::new().unwrap())
}

/// Returns true if the steps of a world on the GPU match the CPU bit for bit.
fn matches_cpu_bit_for_bit(live: &Live, backend: &Backend) -> bool {
    let Backend::Gpu(gpu) = backend else { return true };
    live.scene().waves().is_some() || gpu.adapter().software
}

/// Checks that two worlds have the same number of steps, the same time and equal volumes. If
/// `exact` is true, also checks that their states match bit for bit. `case` names the case in the
/// error message.
fn assert_equal_worlds(case: &str, cpu_world: &mut Live, gpu_world: &mut Live, exact: bool) {
    gpu_world.read_back();
    assert_eq!(gpu_world.take_fallback_reason(), None, "{case}");
    assert_eq!(cpu_world.simulation().steps(), gpu_world.simulation().steps(), "{case}");
    assert_eq!(cpu_world.clock(), gpu_world.clock(), "{case}");
    if exact {
        assert_eq!(cpu_world.state_hash(), gpu_world.state_hash(), "{case}");
        assert_eq!(cpu_world.readings(), gpu_world.readings(), "{case}");
    }
    let (ours, theirs) = (cpu_world.ledger(), gpu_world.ledger());
    assert!((ours.now - theirs.now).abs() < 1e-5 * ours.now.abs().max(1.0), "{case}");
    assert!(theirs.residual == 0.0 || theirs.residual_relative.abs() < 1e-8, "{case}: {theirs:?}");
}

/// Applies a tool that both tested models support.
fn apply_test_tool(live: &mut Live) {
    let name = if live.scene().flow().is_some() { "dig" } else { "drop" };
    let tool = live.tools().iter().find(|tool| tool.name == name).unwrap();
    let size = live.lattice().width();
    let dab = Dab { radius: 0.1 * size, strength: 0.1, ..Dab::new([0.5 * size, 0.3 * size]) };
    live.apply_tool(tool, &dab).unwrap();
}

#[test]
fn gauges_added_on_the_gpu_measure_without_changing_the_state() {
    let backend = gpu_backend();
    for text in [FLOW, WAVES] {
        let mut plain = Live::new("plain", text).unwrap();
        let mut live = Live::new("live", text).unwrap();
        let exact = matches_cpu_bit_for_bit(&live, &backend);
        let own = plain.readings().len();
        for world in [&mut plain, &mut live] {
            world.set_backend(&backend).unwrap();
            world.take_steps(13).unwrap();
        }
        let gauge: Table = "name = 'new'\nat = ['50%', '50%']\nevery = 0.05".parse().unwrap();
        live.add("gauge", &gauge).unwrap();
        step_worlds([&mut plain, &mut live], 150);
        let times = live.readings()[own].times.clone();
        assert!(times.len() > 3 && times.is_sorted(), "{times:?}");
        let gauge = "name = 'new'\nat = ['40%', '50%']\nevery = 0.5".parse().unwrap();
        live.change("gauge", &gauge).unwrap();
        live.remove("gauge", &plain.readings()[0].name).unwrap();
        for world in [&mut plain, &mut live] {
            world.take_steps(150).unwrap();
            world.read_back();
            assert_eq!(world.take_fallback_reason(), None);
        }
        assert!(live.readings().len() == own && live.readings()[0].times.len() > times.len());
        assert_eq!(live.simulation().steps(), plain.simulation().steps());
        if exact {
            assert_eq!(live.state_hash(), plain.state_hash());
        }
    }
}

#[test]
fn the_same_actions_give_the_same_state_on_both_backends() {
    let backend = gpu_backend();
    for (text, key, value) in
        [(FLOW, "rain.rate", Value::Float(50.0)), (WAVES, "physics.damping", Value::Float(0.1))]
    {
        let (mut cpu_world, mut gpu_world, exact) = cpu_and_gpu_world(text, &backend);
        let start = cpu_world.state_hash();
        let (mut past, mut past_there) = (History::default(), History::default());
        assert!(gpu_world.backend().name().starts_with("gpu: "));
        step_worlds([&mut cpu_world, &mut gpu_world], 13);
        assert_equal_worlds("steps", &mut cpu_world, &mut gpu_world, exact);
        assert_ne!(cpu_world.state_hash(), start);
        past.record(&mut cpu_world).unwrap();
        past_there.record(&mut gpu_world).unwrap();
        let before = gpu_world.state_hash();
        for live in [&mut cpu_world, &mut gpu_world] {
            live.take_steps(1).unwrap();
            apply_test_tool(live);
            live.take_steps(9).unwrap();
        }
        assert_equal_worlds("a dab", &mut cpu_world, &mut gpu_world, exact);
        for live in [&mut cpu_world, &mut gpu_world] {
            live.take_steps(1).unwrap();
            live.set(key, value.clone()).unwrap();
            live.take_steps(10).unwrap();
        }
        assert_equal_worlds("a parameter", &mut cpu_world, &mut gpu_world, exact);
        // Moves to the CPU while steps are in flight, and back to the GPU, across events and
        // gauges.
        step_worlds([&mut cpu_world, &mut gpu_world], 5);
        gpu_world.set_backend(&Backend::Cpu).unwrap();
        assert_eq!(gpu_world.backend().name(), "cpu");
        assert_equal_worlds("back", &mut cpu_world, &mut gpu_world, exact);
        gpu_world.set_backend(&backend).unwrap();
        for live in [&mut cpu_world, &mut gpu_world] {
            live.advance(6.0, &mut || false).unwrap();
        }
        assert_equal_worlds("events", &mut cpu_world, &mut gpu_world, exact);
        assert!(gpu_world.readings()[0].times.len() > 3);
        // Take a snapshot of a state that the copy on the CPU has not reached.
        step_worlds([&mut cpu_world, &mut gpu_world], 3);
        let saved = gpu_world.snapshot().unwrap();
        let now = gpu_world.state_hash();
        gpu_world.take_steps(2).unwrap();
        gpu_world.restore(&saved).unwrap();
        assert_eq!(gpu_world.state_hash(), now);
        assert_equal_worlds("a snapshot", &mut cpu_world, &mut gpu_world, exact);
        // Undo an edit while steps are in flight.
        gpu_world.take_steps(4).unwrap();
        assert!(past.undo(&mut cpu_world).unwrap() && past_there.undo(&mut gpu_world).unwrap());
        assert_eq!(gpu_world.state_hash(), before);
        step_worlds([&mut cpu_world, &mut gpu_world], 6);
        assert_equal_worlds("undone", &mut cpu_world, &mut gpu_world, exact);
        assert!(past_there.redo(&mut gpu_world).unwrap());
        assert!(gpu_world.backend().is_device());
    }
}

#[test]
fn schemes_with_dynamic_limits_perform_the_requested_steps() {
    let backend = gpu_backend();
    for level in ["inertial", "shallow-water"] {
        let text = format!("{FLOW}\n[physics]\nlevel = \"{level}\"\n");
        let (mut cpu_world, mut gpu_world, _) = cpu_and_gpu_world(&text, &backend);
        for live in [&mut cpu_world, &mut gpu_world] {
            live.take_steps(20).unwrap();
            assert_eq!(live.simulation().steps(), 20, "{level}");
            apply_test_tool(live);
            live.advance(2.0, &mut || false).unwrap();
        }
        gpu_world.read_back();
        assert_eq!(gpu_world.take_fallback_reason(), None);
        let world = gpu_world.world().get::<FlowWorld>().unwrap();
        assert_eq!(world.flow.time(), gpu_world.clock(), "{level}");
        let near = |live: &Live| live.probe([30.0, 20.0]).into_iter().map(|value| value.value);
        for (a, b) in near(&cpu_world).zip(near(&gpu_world)) {
            assert!((a - b).abs() < 0.05 * (1.0 + a.abs()), "{level}: {a} {b}");
        }
        assert!(gpu_world.ledger().residual_relative.abs() < 1e-8);
    }
}

#[test]
fn unsupported_worlds_are_rejected_with_a_reason_and_stay_on_the_cpu() {
    let backend = gpu_backend();
    for (name, words) in [
        ("comb", "the model `blocks` runs on the CPU only"),
        ("winter", "the model `columns` runs on the CPU only"),
        ("polder", "culverts, gates and weirs are not supported on the GPU"),
        ("harbour", "waves with bodies on paths run on the CPU only"),
    ] {
        let mut live =
            Live::new(name, headwater_scene::library::find_scene(name).unwrap().text).unwrap();
        let refusal = live.set_backend(&backend).unwrap_err().to_string();
        assert!(refusal.contains(words), "{name}: {refusal}");
        assert_eq!(live.backend().name(), "cpu");
        live.step().unwrap();
        assert!(live.set_backend(&Backend::Cpu).is_ok());
    }
}

#[test]
fn a_world_that_becomes_unsupported_continues_on_the_cpu() {
    let backend = gpu_backend();
    let (mut cpu_world, mut gpu_world, exact) = cpu_and_gpu_world(FLOW, &backend);
    let boat: Table =
        toml::from_str("kind = \"log\"\nat = [40, 30]\nsize = [6, 2]\nheight = 1\ndensity = 550")
            .unwrap();
    for live in [&mut cpu_world, &mut gpu_world] {
        live.take_steps(7).unwrap();
        live.add("body", &boat).unwrap();
        live.take_steps(7).unwrap();
    }
    let reason = gpu_world.take_fallback_reason().unwrap();
    assert!(reason.contains("floating bodies"), "{reason}");
    assert_eq!(gpu_world.backend().name(), "cpu");
    assert_equal_worlds("with a boat", &mut cpu_world, &mut gpu_world, exact);
}

#[test]
fn after_device_loss_the_world_keeps_the_last_read_back() {
    for text in [FLOW, WAVES] {
        // Gauges would read the world back.
        let text = text.split("[[gauge]]").next().unwrap();
        let backend = gpu_backend();
        let (mut cpu_world, mut gpu_world, exact) = cpu_and_gpu_world(text, &backend);
        gpu_world.take_steps(12).unwrap();
        gpu_world.read_back();
        let kept = gpu_world.state_hash();
        gpu_world.take_steps(9).unwrap();
        assert_eq!(
            (gpu_world.simulation().steps(), gpu_world.state_hash()),
            (21, kept),
            "it is ahead"
        );
        lose_device(&backend, &mut gpu_world);
        let reason = gpu_world.take_fallback_reason().unwrap();
        assert!(reason.contains("the GPU was lost"), "{reason}");
        assert_eq!(gpu_world.backend().name(), "cpu");
        assert_eq!(gpu_world.simulation().steps(), 12);
        gpu_world.take_steps(20).unwrap();
        cpu_world.take_steps(32).unwrap();
        assert_equal_worlds("after the loss", &mut cpu_world, &mut gpu_world, exact);
        assert!(gpu_world.set_backend(&backend).unwrap_err().to_string().contains("lost"));
        gpu_world.step().unwrap();
    }
}

#[test]
fn after_device_loss_gauges_are_measured_again() {
    let backend = gpu_backend();
    let text = format!(
        "{}\n[[gauge]]\nname = 'again'\nat = [40, 30]\nevery = 0.2\n",
        without_events(FLOW)
    );
    let (mut cpu_world, mut gpu_world, _) = cpu_and_gpu_world(&text, &backend);
    gpu_world.take_steps(12).unwrap();
    gpu_world.read_back();
    gpu_world.take_steps(9).unwrap();
    lose_device(&backend, &mut gpu_world);
    for live in [&mut cpu_world, &mut gpu_world] {
        live.advance(4.0, &mut || false).unwrap();
        let times = &live.readings()[0].times;
        assert!(times.len() > 10 && times.windows(2).all(|two| two[0] < two[1]), "{times:?}");
    }
}

/// Returns the TOML source of a scene up to its first event or gauge. Events and gauges would cause
/// read-backs from the GPU.
fn without_events(text: &str) -> &str {
    let text = text.split("[[event]]").next().unwrap();
    text.split("[[gauge]]").next().unwrap()
}

/// Returns the number of steps that the copy of the world on the CPU has performed.
fn cpu_step_count(live: &Live) -> u64 {
    match live.world().flow() {
        Some(flow) => flow.steps(),
        None => live.world().get::<WavesWorld>().unwrap().waves.steps(),
    }
}

#[test]
fn brushes_edit_a_world_on_the_gpu_without_read_back() {
    let backend = gpu_backend();
    let flow = ["dig", "raise", "flatten", "smooth", "pour", "remove", "push", "wall", "unwall"];
    for (text, tools) in [(FLOW, &flow[..]), (WAVES, &["drop", "heave", "stroke"][..])] {
        let (mut cpu_world, mut gpu_world, exact) =
            cpu_and_gpu_world(without_events(text), &backend);
        let (width, height) = (cpu_world.lattice().width(), cpu_world.lattice().height());
        for name in tools {
            let mut from = [0.3 * width, 0.5 * height];
            for i in 1..4 {
                let at = [from[0] + 0.05 * width, from[1] - 0.03 * height * f64::from(i)];
                let (radius, strength) = (0.1 * width, 0.1);
                for live in [&mut cpu_world, &mut gpu_world] {
                    let tool = live.tools().iter().find(|tool| tool.name == *name).unwrap();
                    live.apply_tool(tool, &Dab { radius, strength, from, ..Dab::new(at) }).unwrap();
                    live.take_steps(2).unwrap();
                }
                from = at;
            }
        }
        assert_eq!(cpu_step_count(&gpu_world), 0, "nothing has come back");
        assert_eq!(gpu_world.simulation().steps(), 6 * tools.len() as u64);
        assert_eq!(gpu_world.text(), cpu_world.text());
        assert_equal_worlds("brushes", &mut cpu_world, &mut gpu_world, exact);
        assert_eq!(cpu_step_count(&gpu_world), 6 * tools.len() as u64);
    }
}

#[test]
fn edits_survive_a_device_loss() {
    for text in [FLOW, WAVES] {
        let backend = gpu_backend();
        let mut live = Live::new("live", without_events(text)).unwrap();
        live.set_backend(&backend).unwrap();
        live.take_steps(6).unwrap();
        live.read_back();
        let kept = live.state_hash();
        live.take_steps(5).unwrap();
        apply_test_tool(&mut live);
        live.take_steps(5).unwrap();
        lose_device(&backend, &mut live);
        assert!(live.take_fallback_reason().unwrap().contains("the GPU was lost"));
        assert_ne!(live.state_hash(), kept, "the dab is there");
        apply_test_tool(&mut live);
        live.take_steps(4).unwrap();
        assert_eq!(live.simulation().steps(), 10, "from where it was brought back");
        // The edit log contains the tool's edit.
        let mut again = Live::new("again", &live.text()).unwrap();
        again.take_steps(10).unwrap();
        assert_eq!(again.state_hash(), live.state_hash());
    }
}

#[test]
fn probes_and_gauges_need_no_read_back() {
    let backend = gpu_backend();
    let Backend::Gpu(gpu) = &backend else { unreachable!() };
    let pools: &[_] = &[[3.1, 2.1], [6.35, 4.75], [1.0, 1.0]];
    for (text, middle, count, places, near) in
        [(FLOW, [40.0, 30.0], 40, &[[31.0, 21.0]][..], 1e-5), (WAVES, [3.7, 2.2], 60, pools, 1e-6)]
    {
        let gauge = format!("[[gauge]]\nname = \"middle\"\nat = {middle:?}\nevery = 0.2\n");
        let text = format!("{}\n{gauge}", without_events(text));
        let (mut cpu_world, mut gpu_world, exact) = cpu_and_gpu_world(&text, &backend);
        step_worlds([&mut cpu_world, &mut gpu_world], count);
        assert!(gpu_world.is_ready());
        for &place in places {
            gpu_world.probe_latest(place);
            gpu.wait().unwrap();
            let probed = gpu_world.probe_latest(place);
            // Foam has the value of the last read-back.
            let known = cpu_world.probe(place).into_iter().filter(|value| value.name != "foam");
            let known: Vec<_> = known.collect();
            assert_eq!(probed.len(), known.len(), "{place:?}");
            for (probed, known) in probed.iter().zip(&known) {
                assert_eq!((probed.name, &probed.unit), (known.name, &known.unit));
                assert!(
                    (probed.value - known.value).abs() < near,
                    "{place:?} {probed:?} {known:?}"
                );
            }
        }
        assert_eq!(cpu_step_count(&gpu_world), 0, "nothing has come back");
        assert!(gpu_world.readings()[0].times.len() > 3);
        if exact {
            assert_eq!(gpu_world.readings(), cpu_world.readings());
        }
    }
}
