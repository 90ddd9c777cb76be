import Pipeline
import Support

/// Writer of a delivered movie or picture sequence, which takes its name together with other outputs.
public protocol DeliveryWriter: MovieWriter {
    /// Completes it; it and `others` are all there in the end or, after an error, none.
    func finish(with others: [any PendingOutput]) throws
    /// Tracks of the footage that the output does not have, or has in another coding, each with its reason; complete after `finish`.
    var remarks: [String] { get }
}

extension MovieFileWriter: DeliveryWriter {}
extension PictureSequenceWriter: DeliveryWriter {}
