// Ground of a model: a grid displaced to its elevations, coloured by steepness, plants, streams and
// wetness.

#import bevy_headwater::surface::{look, cell_state, ground_normal, state_at, looks_at, noise, is_wet, rise_over}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{Vertex, VertexOutput},
    mesh_functions,
    view_transformations::position_world_to_clip,
}
#else
#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput, FragmentOutput},
    mesh_functions,
    mesh_types::MESH_FLAGS_SHADOW_RECEIVER_BIT,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
    view_transformations::position_world_to_clip,
}
#endif

fn lifted(vertex_position: vec3<f32>, cell: vec2<i32>) -> vec3<f32> {
    // Negative values mark the floor of the block.
    let height = select(cell_state(cell).x, look.flat_ground.w, vertex_position.y < 0.0);
    return vec3(vertex_position.x, height, vertex_position.z);
}

@vertex
fn vertex(vertex: Vertex) -> VertexOutput {
    let cell = vec2<i32>(round(vertex.uv));
    let local = lifted(vertex.position, cell);
    let world_from_local = mesh_functions::get_world_from_local(vertex.instance_index);
    var out: VertexOutput;
    out.world_position = mesh_functions::mesh_position_local_to_world(world_from_local, vec4(local, 1.0));
    out.position = position_world_to_clip(out.world_position.xyz);
#ifdef PREPASS_PIPELINE
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = mesh_functions::mesh_normal_local_to_world(ground_normal(cell), vertex.instance_index);
#endif
#ifdef MOTION_VECTOR_PREPASS
    out.previous_world_position = out.world_position;
#endif
#else
    var normal = vertex.normal;
    if abs(vertex.normal.y) > 0.5 {
        normal = ground_normal(cell);
    }
    out.world_normal = mesh_functions::mesh_normal_local_to_world(normal, vertex.instance_index);
#endif
    out.uv = vertex.uv;
    // Caustics: brighter below crests, darker below troughs. Values below -50 mark the sides of the
    // block.
    let here = cell_state(cell);
    let level = here.x + here.y;
    // The curvature is measured over two cells, because shorter waves are noise of the grid.
    let bend = rise_over(cell + vec2(2, 0), level) + rise_over(cell - vec2(2, 0), level)
        + rise_over(cell + vec2(0, 2), level) + rise_over(cell - vec2(0, 2), level);
    let gathered = select(0.0, -0.1 * here.y * bend / (look.grid.z * look.grid.w), is_wet(here));
    out.uv_b = vec2(local.y, select(gathered, -100.0, vertex.position.y < 0.0 || is_side(vertex)));
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = vertex.instance_index;
#endif
    return out;
}

#ifdef PREPASS_PIPELINE
fn is_side(vertex: Vertex) -> bool {
    return false;
}
#else
fn is_side(vertex: Vertex) -> bool {
    return abs(vertex.normal.y) < 0.5;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let state = state_at(in.uv);
    let looks = looks_at(in.uv);
    let at = in.world_position.xz / look.grid.z;
    let grain = 0.5 * noise(at * 0.21).x + 0.3 * noise(at * 0.7).x + 0.2 * noise(at * 2.3).x;
    let fine = noise(at * 5.1).x;

    var color = look.flat_ground.rgb;
    let up = normalize(pbr_input.N).y;
    let steep = smoothstep(0.72, 0.90, 1.0 - up + 0.72 + 0.06 * grain) ;
    color = mix(color, look.steep_ground.rgb, clamp(steep, 0.0, 1.0));
    color = color * (1.0 + 0.10 * grain + 0.05 * fine);
    // Plants darken the ground.
    let plants = clamp(looks.z, 0.0, 1.0);
    color = mix(color, vec3(0.035, 0.085, 0.03) * (1.0 + 0.5 * fine + 0.3 * grain), plants * smoothstep(-0.9, 0.5, fine + 1.2 * plants));
    // Ground under water and slightly above it is wet.
    let wet = smoothstep(0.0, 3.0 * look.limits.x + 0.25 * min(look.grid.z, 2.0), state.y);
    color = mix(color, look.wet_ground.rgb * (1.0 + 0.12 * grain + 0.1 * fine), 0.85 * wet);
    // Closed cells, such as buildings, are gray.
    color = mix(color, vec3(0.32, 0.29, 0.27), looks.w);

    let is_cut = in.uv_b.y < -50.0;
    if is_cut {
        // The sides of the block show layers of soil.
        let below = state.x - in.uv_b.x;
        let layer = noise(vec2(below * 1.7 / look.grid.z, 0.2 * (at.x + at.y))).x;
        color = mix(vec3(0.13, 0.085, 0.05), vec3(0.20, 0.15, 0.10), 0.5 + 0.5 * layer);
        color = mix(look.flat_ground.rgb, color, smoothstep(0.0, 0.6 * look.grid.z, below));
    }

    // Draw streams that have no depth in the model.
    let stream = smoothstep(0.30, 0.62, looks.y) * select(1.0, 0.0, is_cut);
    color = mix(color, mix(look.deep.rgb, look.shallow.rgb, 0.10), 0.9 * stream);

    color *= clamp(1.0 + select(in.uv_b.y, 0.0, is_cut), 0.6, 2.2);

    pbr_input.material.base_color = vec4(pbr_input.material.base_color.rgb * color, 1.0);
    pbr_input.material.perceptual_roughness = mix(pbr_input.material.perceptual_roughness, 0.25, stream);
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    // In deep water, scattered light brightens the shadows on the bed.
    let murk = 0.85 * (1.0 - exp(-2.0 * state.y / look.deep.w));
    if !is_cut && murk > 0.02 && (pbr_input.flags & MESH_FLAGS_SHADOW_RECEIVER_BIT) != 0u {
        pbr_input.flags &= ~MESH_FLAGS_SHADOW_RECEIVER_BIT;
        out.color = mix(out.color, apply_pbr_lighting(pbr_input), murk);
    }
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
}
#endif
