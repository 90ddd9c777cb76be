// Weights of four values in a row for a place between the middle two, after Catmull and Rom: sharper than a straight line between two.
vec4 cubic(float part) {
    float square = part * part, cube = square * part;
    return vec4(square - 0.5 * (cube + part), 1.0 + 1.5 * cube - 2.5 * square, 2.0 * square + 0.5 * part - 1.5 * cube, 0.5 * (cube - square));
}
