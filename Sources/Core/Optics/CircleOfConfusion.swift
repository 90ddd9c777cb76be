/// Thin lens in photographers' terms: full-frame-equivalent focal length (mm, sensor 36 mm wide) and f-number.
public struct Lens: Sendable, Equatable {
    /// Full-frame-equivalent focal length in mm, > 0.
    public var focalLength: Double
    /// f-number N, > 0; the aperture's diameter is focalLength / N.
    public var fNumber: Double

    /// Creates a lens; focal length in mm and f-number, both > 0.
    public init(focalLength: Double, fNumber: Double) {
        self.focalLength = focalLength
        self.fNumber = fNumber
    }

    /// Circle of confusion of this lens focused at `focusDisparity` (1/m), in a picture `pictureWidth` pixels wide.
    ///
    /// Thin-lens defocus: c = (f² / N) · (d_focus − d) / (1000 − f · d_focus) · W / 36, with f in mm, d in 1/m and W the width.
    ///
    /// Nearer than life size (object two focal lengths away) no lens focuses; from there on it blurs as at life size.
    public func circleOfConfusion(focusDisparity: Double, pictureWidth: Int) -> CircleOfConfusion {
        let perDisparity = focalLength * focalLength / fNumber / max(1000 - focalLength * focusDisparity, 500) * Double(pictureWidth) / 36
        return CircleOfConfusion(focusDisparity: focusDisparity, diameterPerDisparity: perDisparity)
    }
}

/// Circle of confusion of one focus setting: affine in disparity, since defocus is linear in inverse distance.
public struct CircleOfConfusion: Sendable, Equatable {
    /// Disparity in focus, 1/m (or in the unit of the disparity map at hand).
    public var focusDisparity: Double
    /// Diameter in pixels per unit of disparity, ≥ 0; 0 is a pinhole.
    public var diameterPerDisparity: Double

    /// Creates a circle of confusion from its zero and its slope.
    public init(focusDisparity: Double, diameterPerDisparity: Double) {
        self.focusDisparity = focusDisparity
        self.diameterPerDisparity = diameterPerDisparity
    }

    /// Signed diameter in pixels at `disparity`: positive behind the focus, negative in front of it.
    public func diameter(at disparity: Double) -> Double { diameterPerDisparity * (focusDisparity - disparity) }
}
