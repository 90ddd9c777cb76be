// The picture's coding of colours: layout, range, matrix and transfer function (PictureFormat in Swift gives the values).
// 0: luma and chroma planes of bytes; 1: blue, green, red, alpha; 2: planes of ten bits at the top of 16; 3: red, green, blue, alpha of 16 bits
layout(constant_id = 16) const int FORMAT = 0;
layout(constant_id = 17) const int TRANSFER = 0; // 0: sRGB, 1: HLG, 2: PQ
layout(constant_id = 18) const float BLACK = 16.0;
layout(constant_id = 19) const float LUMA_STEP = 0.00456621;
layout(constant_id = 20) const float GREY = 128.0;
layout(constant_id = 21) const float CHROMA_STEP = 0.00446429;
layout(constant_id = 22) const float RED = 0.2126;
layout(constant_id = 23) const float BLUE = 0.0722;
layout(constant_id = 24) const float WHITE_LEVEL = 1.0; // linear signal of white, 0 to 1
layout(constant_id = 25) const float BRIGHTEST = 1.0;   // its inverse: the brightest light, white being 1
