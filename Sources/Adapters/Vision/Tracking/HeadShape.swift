import Foundation

/// Box of a person's head, from crown to chin, by the face in front of it or by the body below it.
enum HeadShape {
    /// The head around a face that leans by `roll` degrees: a good third higher than the face, whose detectors stop at the forehead.
    static func box(face: CGRect, roll: Double) -> CGRect {
        let (angle, rise) = (roll * .pi / 180, 0.15 * face.height)
        return face.scaled(1.35, 1.4).offsetBy(dx: rise * sin(angle), dy: -rise * cos(angle))
    }

    /// The face that would be at the front of an upright head.
    static func face(head: CGRect) -> CGRect {
        let height = head.height / 1.4
        return head.scaled(1 / 1.35, 1 / 1.4).offsetBy(dx: 0, dy: 0.15 * height)
    }

    /// The head on a body that nobody saw the face of, by a grown-up's proportions; nil where the picture cuts it off, and on a body wider than high:
    /// an arm that networks take for somebody, or who lies, whose head is not on top.
    ///
    /// - Parameter side: -1…1, where across the body the head is.
    static func box(body: CGRect, side: Double, in picture: ReducedPicture) -> CGRect? {
        guard body.minY > 0.01 * picture.height, body.height >= body.width else { return nil }
        // Shoulders are two and a half heads wide; who is seen down to the feet is seven high, who crouches about four.
        let isCut = body.maxY > 0.98 * picture.height
        let width = isCut ? 0.4 * body.width : min(0.4 * body.width, 0.18 * body.height)
        let x = body.midX + side * (body.width - width) / 2
        return CGRect(x: x - width / 2, y: body.minY, width: width, height: min(1.35 * width, body.height))
    }
}
