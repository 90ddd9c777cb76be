import Foundation

/// Yaw and roll of a head, from the landmarks of eyes and nose.
struct HeadPose: Equatable {
    /// Degrees; negative looks to the picture's left.
    var yaw: Double
    /// Degrees the head leans clockwise.
    var roll: Double

    /// `marks`: right eye, left eye, nose, … (x, y each, as the person has them: the right eye is on the picture's left).
    init(marks: [Double], faceWidth: Double) {
        let (dx, dy) = (marks[2] - marks[0], marks[3] - marks[1])
        let distance = max((dx * dx + dy * dy).squareRoot(), 1e-3)
        roll = atan2(dy, dx) * 180 / .pi
        // Along the line of the eyes, so that leaning does not look like turning.
        let (nx, ny) = (marks[4] - (marks[0] + marks[2]) / 2, marks[5] - (marks[1] + marks[3]) / 2)
        let offset = (nx * dx + ny * dy) / (distance * distance)
        var angle = Self.degrees(abs(offset))
        // In profile the eyes close up before the nose goes further out; of a leaning head the upright box says nothing of that.
        if distance < 0.33 * faceWidth, abs(offset) > 0.2, abs(roll) < 25 { angle = max(angle, 52) }
        yaw = offset < 0 ? -angle : angle
    }

    /// From the nose's offset in eye distances: measured 0.35 where a face still looks at the camera, 0.55 where it no longer does.
    private static func degrees(_ offset: Double) -> Double {
        if offset < 0.35 { return offset / 0.35 * 40 }
        if offset < 0.55 { return 40 + (offset - 0.35) / 0.2 * 10 }
        return min(50 + (offset - 0.55) / 0.35 * 25, 90)
    }
}
