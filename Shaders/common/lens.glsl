#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "constants.glsl"
// Push constants of every pass; LensParameters in Swift has the same layout.
struct Lens {
    ivec2 size;               // picture, padded to multiples of 2 SCALE
    ivec2 work;               // layers: size / SCALE
    ivec2 map;                // disparity map
    vec2 mapPerPixel;         // map / unpadded picture
    float focus;              // disparity that is sharp
    float radiusPerDisparity; // pixels of the picture
    float maxRadius;          // pixels of the picture
    float knee;               // linear light above which highlights are expanded
    float bend;               // how much; 0 leaves them
    int firstTile;            // of this pass in the tile list
    int stride;               // samples (words of FORMAT 1 and 3) from one row of the picture to the next
    int chroma;               // samples from the first row of luma to the first of chroma
    float magnification;      // of the finished picture, by breathing
    uint grainSeed;           // of this picture's grain
};
layout(push_constant) uniform Pushed { Lens pushed; };
Lens lens = pushed; // all of it before any branch, after which a software device reads lane by lane

// Layers hold light and coverage in fixed point, so that running sums are exact.
const float ONE = 16384.0;

// The value itself, computed once for all lanes before it is stored. For lavapipe (Mesa 22.3, LLVM 15), which stores lane by lane and moves cheap
// arithmetic into that loop: that the size is above 0 its compiler cannot know, so the value stays outside.
uint materialize(uint word) { return lens.size.x > 0 ? word : 0u; }
float materialize(float value) { return lens.size.x > 0 ? value : 0.0; }

// Words joined for a store, two to a number: lavapipe takes a step for each lane and number.
uint64_t pack64ForStore(uvec2 words) { return lens.size.x > 0 ? pack64(words) : uint64_t(0); }
u64vec2 pack64ForStore(uvec4 words) { return u64vec2(pack64ForStore(words.xy), pack64ForStore(words.zw)); }

// Indices into the buffers that passes leave for others: of a layer pixel; of two in a row, or of 2 x 2; of the sum of the pixels left of one. They
// are written as storage buffers, row after row, and read as texels: lavapipe takes a third of the steps to store there that it takes for an image.
int pixelPlace(ivec2 p) { return p.y * lens.work.x + p.x; }
int halfPlace(ivec2 p) { return p.y * (lens.work.x >> 1) + p.x; }
int sumPlace(ivec2 p) { return p.y * ((lens.work.x + TILE - 1 & -TILE) + 1) + p.x; }
int markPlace(ivec2 p) { return p.y * (lens.size.x >> 2) + p.x; } // of 4 x 4 pixels of the picture

// Coverage of the blurred layer, from a radius in pixels of the picture: 0 up to SLIGHT, 1 from one pixel more.
float blurred(float radius) { return clamp(radius - SLIGHT, 0.0, 1.0); }
