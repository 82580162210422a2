// Water seen from above: a grid displaced to the water level, with colour by depth, ripples carried
// by the current, foam, reflected sky and refracted ground.

#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput, FragmentOutput},
    mesh_functions,
    mesh_view_bindings::{globals, lights, view},
    mesh_view_types::DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
    shadows::fetch_directional_shadow,
    view_transformations::position_world_to_clip,
}
#import bevy_headwater::surface::{look, level_at, water_normal, state_at, looks_at, cell_state, is_wet_near, noise, stride}

#ifdef STANDARD_MATERIAL_SPECULAR_TRANSMISSION
#import bevy_pbr::transmission::fetch_transmissive_background_non_rough
#endif

@vertex
fn vertex(vertex: Vertex) -> VertexOutput {
    let cell = vec2<i32>(round(vertex.uv));
    let level = level_at(cell);
    let is_side = abs(vertex.normal.y) < 0.5;
    var local = vec3(vertex.position.x, level, vertex.position.z);
    var normal = vertex.normal;
    if is_side {
        // The sides of the block extend from the water level down to the ground.
        local.y = select(level, min(level, cell_state(cell).x), vertex.position.y < 0.0);
    } else {
        normal = water_normal(cell, level);
    }
    let world_from_local = mesh_functions::get_world_from_local(vertex.instance_index);
    var out: VertexOutput;
    out.world_position = mesh_functions::mesh_position_local_to_world(world_from_local, vec4(local, 1.0));
    out.position = position_world_to_clip(out.world_position.xyz);
    out.world_normal = mesh_functions::mesh_normal_local_to_world(normal, vertex.instance_index);
    out.uv = vertex.uv;
    out.uv_b = vec2(local.y, select(0.0, 1.0, is_side));
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = vertex.instance_index;
#endif
    return out;
}

// Fraction of the light from below that remains in shadow.
const SHADED: f32 = 0.45;

// Returns slopes of moving ripples of several wavelengths.
fn ripples(at: vec2<f32>, time: f32) -> vec2<f32> {
    let first = noise(at * 0.9 + vec2(0.31, 0.17) * time).yz;
    let second = noise(at * 2.1 - vec2(0.23, 0.41) * time).yz;
    let third = noise(at * 4.7 + vec2(0.5, -0.6) * time).yz;
    return 0.5 * first + 0.3 * second + 0.2 * third;
}

// Returns the fraction of shadowed directional light that reaches the surface, 0 to 1.
fn lit(in: VertexOutput, normal: vec3<f32>) -> f32 {
    let view_z = dot(vec4(
        view.view_from_world[0].z,
        view.view_from_world[1].z,
        view.view_from_world[2].z,
        view.view_from_world[3].z,
    ), in.world_position);
    var all = 0.0;
    var some = 0.0;
    for (var i = 0u; i < lights.n_directional_lights; i++) {
        let light = &lights.directional_lights[i];
        if ((*light).flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) == 0u {
            continue;
        }
        let weight = dot((*light).color.rgb, vec3(0.3, 0.5, 0.2));
        all += weight;
        some += weight * fetch_directional_shadow(i, in.world_position, normal, view_z, in.position.xy);
    }
    return select(1.0, some / all, all > 0.0);
}

// Ambient light (after exposure) at which the sky has its full colour: Bevy's default, 80 cd/m².
const BRIGHT: f32 = 0.08;

// Returns the brightness of the reflected sky, 0 to 1, from the lights.
fn sky_light() -> f32 {
    var all = lights.ambient_color.rgb;
    for (var i = 0u; i < lights.n_directional_lights; i++) {
        all += lights.directional_lights[i].color.rgb;
    }
    return clamp(dot(all, vec3(0.3, 0.5, 0.2)) * view.exposure / BRIGHT, 0.0, 1.0);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let state = state_at(in.uv);
    let looks = looks_at(in.uv);
    let is_side = in.uv_b.y > 0.5;
    // On coarse meshes the texture is more exact than the vertices.
    var depth = select(in.uv_b.x - state.x, state.y, stride() > 1);
    let side_depth = state.y;
    // Between dry cells on steep ground the level may lie above the ground without water.
    if select(depth, side_depth, is_side) <= look.limits.x || !is_wet_near(in.uv) {
        discard;
    }
    depth = max(depth, 0.0);

    // The ripples are carried by the current. They consist of two patterns, each of which is
    // restarted while only the other is visible.
    let velocity = state.zw;
    let speed = length(velocity);
    let scale = 1.0 / (1.4 * look.grid.z);
    let at = in.world_position.xz * scale;
    let phase = fract(0.35 * globals.time + 0.3 * noise(at * 0.13).x);
    let other = fract(phase + 0.5);
    let drift = velocity * scale / 0.35;
    let shown = abs(2.0 * phase - 1.0);
    let first = ripples(at - drift * (phase - 0.5), globals.time);
    let second = ripples(at - drift * (other - 0.5) + 17.3, globals.time);
    let height = look.sky.w * (0.5 + 0.5 * min(speed, 3.0)) * smoothstep(0.0, 0.3 * look.grid.z, depth);
    let slope = mix(first, second, shown) * height;

    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let flat_normal = normalize(pbr_input.N);
    if !is_side {
        pbr_input.N = normalize(flat_normal + vec3(-slope.x, 0.0, -slope.y));
    }
    let n = pbr_input.N;
    let v = pbr_input.V;
    let facing = max(dot(n, v), 0.0);
    let fresnel = select(0.02 + 0.98 * pow(1.0 - facing, 5.0), 0.05, is_side);

    // Path of light through the water, and its attenuation.
    let inward = refract(-v, n, 1.0 / 1.33);
    let way = select(depth / max(-inward.y, 0.3), look.deep.w * 1.2, is_side);
    let absorb = vec3(1.05) - look.shallow.rgb;
    let through = exp(-absorb * way * 1.2 / look.deep.w);

    // Draw foam in flakes carried by the current: foam of the model, and foam where the flow is
    // supercritical or spills over. Thin films are drawn as wet ground without foam.
    let flakes = mix(
        noise((at - drift * (phase - 0.5)) * 2.3).x,
        noise((at - drift * (other - 0.5)) * 2.3 + 9.1).x,
        shown,
    );
    let wave = sqrt(9.81 * max(depth, 0.01));
    let breaking = smoothstep(0.9, 2.2, speed / wave);
    let spilling = smoothstep(0.15, 0.5, length(flat_normal.xz) / max(flat_normal.y, 0.1));
    let moving = smoothstep(0.05, 0.4, depth) * smoothstep(0.2, 1.2, speed);
    let surf = look.wet_ground.w * moving * (1.0 - (1.0 - breaking) * (1.0 - spilling));
    let rim = look.wet_ground.w * smoothstep(0.10, 0.02, depth / look.grid.z) * smoothstep(0.5, 2.0, speed) * 0.35;
    let white = clamp(max(max(looks.x, surf), rim) * look.foam.w, 0.0, 1.0);
    let lace = smoothstep(1.0 - 1.1 * white, 1.35 - 0.6 * white, 0.5 + 0.5 * flakes + 0.15 * white);
    let foam = select(0.9 * lace, 0.0, is_side || white < 0.02);

    let body = look.deep.rgb * (1.0 - through);
    pbr_input.material.base_color = vec4(mix(body, look.foam.rgb, foam), 1.0);
    pbr_input.material.perceptual_roughness = mix(0.14, 0.9, foam);
    pbr_input.material.reflectance = vec3(0.35);
    pbr_input.material.metallic = 0.0;
    pbr_input.material.specular_transmission = 0.0;
    pbr_input.material.diffuse_transmission = 0.0;

    var color = apply_pbr_lighting(pbr_input);
    // Floating bodies cast shadows into the slightly cloudy water, which makes them appear to lie
    // in it.
    let shade = mix(SHADED, 1.0, lit(in, flat_normal));
    let clear = (1.0 - fresnel) * (1.0 - foam);
    let sky = look.sky.rgb * sky_light() * fresnel * (1.0 - foam);
#ifdef STANDARD_MATERIAL_SPECULAR_TRANSMISSION
    // Colour of the ground where the refracted ray meets it. Refraction is weaker than in reality,
    // so that floating bodies do not appear twice. Without a depth prepass, bodies and ground
    // cannot be distinguished, and only ripples refract the light.
    let bend = look.shallow.w * min(way, 3.0 * look.deep.w);
#ifdef DEPTH_PREPASS
    let bent = inward + v;
#else
    let bent = inward - refract(-v, flat_normal, 1.0 / 1.33);
#endif
    let exit = in.world_position.xyz + bend * (0.4 * bent - v);
    let clip = view.clip_from_world * vec4(exit, 1.0);
    let seen = (clip.xy / clip.w) * vec2(0.5, -0.5) + 0.5;
    let size = vec2<f32>(textureDimensions(bevy_pbr::mesh_view_bindings::view_transmission_texture));
    let place = (seen * view.viewport.zw + view.viewport.xy) / size;
    var behind = fetch_transmissive_background_non_rough(place, in.position.xyz);
    // Objects in front of the water are not refracted; this needs a depth prepass.
    if behind.a == 0.0 {
        behind = fetch_transmissive_background_non_rough(in.position.xy / size, in.position.xyz);
    }
    color = vec4(color.rgb + behind.rgb * through * clear * shade + sky, 1.0);
#else
    let cover = 1.0 - dot(through, vec3(0.3, 0.5, 0.2)) * clear * shade;
    color = vec4(color.rgb + sky, clamp(cover, 0.0, 1.0));
#endif
    var out: FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr_input, color);
    return out;
}
