import CoreVideo
import Synchronization

/// Count of the copies that this process has made of pictures and maps on their way from the source to the movie, by step; as `getrusage` of a
/// process, it holds for all of it.
///
/// A step that makes something new is no copy: the lens's drawing, a reduced picture to search in, the encoder's bits.
package enum PictureCopies {
    /// Step that copies; where its picture goes on as it is, it is not counted.
    package enum Step: String, CaseIterable, Codable, Sendable {
        /// The decoder's planes to those of `420v`, its matrix and range included.
        case conversion = "decoder's picture to 420v"
        case rotation = "picture turned upright"
        case splitting = "eye cut out of a packed picture"
        case fitting = "picture cropped and scaled to the format"
        case upload = "picture to the device"
        case mapUpload = "disparity to the device"
        case readBack = "drawn picture from the device"
        /// Tiles that the lens leaves as they are, and those drawn elsewhere.
        case assembly = "sharp tiles to the drawn picture"
        case encoderPlanes = "picture to the encoder's planes"
    }

    /// Copies of one step.
    package struct Count: Codable, Sendable, Equatable {
        package var step: Step
        /// Pictures that were copied, in part or as a whole.
        package var count: Int
        /// Bytes written.
        package var bytes: Int
    }

    private static let counts = Mutex([Step: (count: Int, bytes: Int)]())

    /// Counts a copy of one picture, `bytes` of it.
    package static func count(_ step: Step, bytes: Int) {
        counts.withLock { counts in
            let before = counts[step] ?? (0, 0)
            counts[step] = (before.count + 1, before.bytes + bytes)
        }
    }

    /// Counts a copy of all of `picture`, the ends of its rows included.
    package static func count(_ step: Step, of picture: CVPixelBuffer) {
        let planes = (0..<(CVPixelBufferIsPlanar(picture) ? 2 : 1)).map { picture.plane($0) }
        count(step, bytes: planes.reduce(0) { $0 + $1.bytesPerRow * $1.height })
    }

    /// Copies so far, in the order of the steps; steps without any are left out.
    package static var report: [Count] {
        counts.withLock { counts in
            Step.allCases.compactMap { step in counts[step].map { Count(step: step, count: $0.count, bytes: $0.bytes) } }
        }
    }
}
