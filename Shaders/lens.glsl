#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// What every pass knows; LensParameters in Swift has the same layout.
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
    int stride;               // samples (words of FORMAT 1) from one row of the picture to the next
    int chroma;               // samples from the first row of luma to the first of chroma
};
layout(push_constant) uniform Pushed { Lens lens; } pushed;
Lens lens = pushed.lens; // all of it before any branch, after which a software device reads lane by lane

// Layers hold light and coverage in fixed point, so that running sums are exact.
const float ONE = 16384.0;

// What is about to be stored, as it is. That size is above 0 a compiler cannot know: a software device's would compute what can be had lane by
// lane anew for each lane and word that it stores.
uint once(uint word) { return lens.size.x > 0 ? word : 0u; }
float once(float value) { return lens.size.x > 0 ? value : 0.0; }

// Words as they are stored: two at once, as a software device takes a step for each lane and number.
uint64_t stored(uvec2 words) { return lens.size.x > 0 ? pack64(words) : uint64_t(0); }
u64vec2 stored(uvec4 words) { return u64vec2(stored(words.xy), stored(words.zw)); }

// What passes leave for others lies row after row in buffers, written as such and read as texels: a software device takes a third of the steps to
// store there that it takes for an image. Where that of a layer pixel lies; of two in a row, or of 2 x 2; the sum of what is left of one.
int pixelPlace(ivec2 p) { return p.y * lens.work.x + p.x; }
int halfPlace(ivec2 p) { return p.y * (lens.work.x >> 1) + p.x; }
int sumPlace(ivec2 p) { return p.y * (((lens.work.x + 15) & ~15) + 1) + p.x; }
int markPlace(ivec2 p) { return p.y * (lens.size.x >> 2) + p.x; } // of 4 x 4 pixels of the picture

// Pixels of the picture from in focus to blurred: 0 up to a radius of three quarters of a pixel (TileRadii.slight), 1 from one pixel more.
float blurred(float radius) { return clamp(radius - 0.75, 0.0, 1.0); }
