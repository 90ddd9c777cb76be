internal import CVisionKernels

extension Plane where Value == UInt8 {
    /// The pixels as the kernels take them; valid as long as the plane.
    var image: rf_image {
        rf_image(data: base, width: Int32(width), height: Int32(height), channels: Int32(channels), stride: width * channels)
    }

    /// Pixels reduced by a whole factor, means of squares (`rf_area_reduce`).
    func reduced(by factor: Int) -> Plane {
        if factor == 1 { return self }
        let out = Plane(width / factor, height / factor, channels: channels)
        var whole = rf_image(
            data: base, width: Int32(out.width * factor), height: Int32(out.height * factor), channels: Int32(channels), stride: width * channels)
        var target = out.image
        if rf_area_reduces(&whole, &target) != 0 {
            rf_area_reduce(&whole, &target)
            return out
        }
        return Plane(out.width, out.height, channels: channels) { x, y, c in
            var sum = 0
            for j in 0..<factor {
                for i in 0..<factor { sum += Int(self.values[((factor * y + j) * self.width + factor * x + i) * self.channels + c]) }
            }
            return UInt8((sum + factor * factor / 2) / (factor * factor))
        }
    }
}
