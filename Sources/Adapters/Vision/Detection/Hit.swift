import Foundation

/// Face or cat's head that a cascade, dlib or a network detected, in pixels of the reduced picture.
struct Hit {
    enum Look: Int, CaseIterable {
        case frontal, left, right, cat

        /// Degrees; negative looks to the picture's left. Nil where a cascade says nothing about it.
        var yaw: Double? {
            switch self {
            case .frontal: 0
            case .left: -70
            case .right: 70
            case .cat: nil
            }
        }

        var kind: Track.Kind { self == .cat ? .cat : .person }
    }

    var look: Look
    var box: CGRect
    /// Raw windows that agreed; of other detectors what their score is worth: dlib 20 + 20 score, a network 40 times it.
    var support: Int
    /// From the search of the whole picture, not from looking after a track.
    var isNew: Bool
    var source = Source.cascade
    /// Tone of the picture in which a cascade saw it.
    var tone = SearchPicture.Tone.plain
    /// Degrees, where the source measures them: negative yaw looks to the picture's left, positive roll leans clockwise.
    var yaw: Double?
    var roll: Double?
    /// Confidence of the source: dlib's margin (> 0), a network's 0…1.
    var score = 0.0

    /// dlib's margin at the place of a cascade's hit, where it was asked; `HeadFinder.margin`.
    var margin: Double?

    /// Margin from which on two detectors agree, margin below which no frontal face is believed, and margin below which a profile is a pattern as
    /// likely.
    static let (agreed, leastMargin, doubtfulProfile) = (-0.3, -0.85, -1.7)

    /// Whether it continues a track at most: a second look did not confirm it.
    var isDoubtful = false

    /// Detector that saw it.
    enum Source { case cascade, gradients, network }

    /// Whether one look is enough: dlib above a small margin gave no false alarm in 125 pictures without faces. Of a cascade, where dlib agrees.
    var isSure: Bool {
        switch source {
        case .cascade: margin ?? HeadFinder.unlike > Self.agreed
        case .gradients: score > 0.2
        case .network: score > 0.8
        }
    }
}

extension CGRect {
    var center: CGPoint { CGPoint(x: midX, y: midY) }
    var area: Double { isNull ? 0 : Double(width * height) }

    /// Intersection over union, 0…1.
    package func overlap(_ other: CGRect) -> Double {
        let common = intersection(other).area
        return common > 0 ? common / (area + other.area - common) : 0
    }

    /// The rectangle around the same centre, `x` times as wide and `y` times as high.
    func scaled(_ x: Double, _ y: Double? = nil) -> CGRect {
        let (w, h) = (width * x, height * (y ?? x))
        return CGRect(x: midX - w / 2, y: midY - h / 2, width: w, height: h)
    }

    /// Rectangle on the straight way to another: 0 for this one, 1 for the other.
    func interpolated(to other: CGRect, _ share: Double) -> CGRect {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return CGRect(x: mix(minX, other.minX), y: mix(minY, other.minY), width: mix(width, other.width), height: mix(height, other.height))
    }
}
