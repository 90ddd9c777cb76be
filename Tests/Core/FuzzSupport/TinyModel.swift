import Foundation

/// An ONNX file written by hand, small enough to see through: each output is a 1 x 1 convolution of the picture.
public struct TinyModel {
    private var nodes: [[UInt8]] = []
    private var initializers: [[UInt8]] = []
    private var outputs: [[UInt8]] = []

    public init() {}

    /// A network with the outputs of YuNet of March 2023, for pictures of 320 x 192: every value is the same.
    public static var yuNet: Data {
        var tiny = TinyModel()
        for stride in [8, 16, 32] {
            for (name, channels) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
                tiny.add(
                    "\(name)_\(stride)", stride: stride, weights: Array(repeating: [0, 0, 0], count: channels),
                    bias: Array(repeating: 0.5, count: channels))
            }
        }
        return tiny.data(width: 320, height: 192)
    }

    /// The .cfg of a Darknet network that halves the picture five times and tells 80 classes for three boxes a cell.
    public static let darknet =
        "[net]\nwidth=320\nheight=320\nchannels=3\n\n"
        + (0..<5).map { _ in "[convolutional]\nbatch_normalize=1\nfilters=4\nsize=3\nstride=2\npad=1\nactivation=leaky\n\n" }.joined()
        + "[route]\nlayers=-1\n\n[convolutional]\nfilters=255\nsize=1\nstride=1\npad=1\nactivation=linear\n\n"
        + "[yolo]\nmask=0,1,2\nanchors=10,14, 23,27, 37,58\nclasses=80\nnum=3\njitter=.3\nignore_thresh=.7\n"

    /// An output with a row per cell of `stride` pixels: values of the pixel in the cell's corner (blue, green, red) by `weights`, and `bias`.
    public mutating func add(_ name: String, stride: Int, weights: [[Float]], bias: [Float]) {
        let channels = bias.count
        initializers.append(Self.floats(name + "_w", [channels, 3, 1, 1], weights.flatMap { $0 }))
        initializers.append(Self.floats(name + "_b", [channels], bias))
        initializers.append(Self.integers(name + "_s", [1, -1, channels]))
        nodes.append(
            Self.node("Conv", ["input", name + "_w", name + "_b"], name + "_c", [("kernel_shape", [1, 1]), ("strides", [stride, stride])]))
        nodes.append(Self.node("Transpose", [name + "_c"], name + "_t", [("perm", [0, 2, 3, 1])]))
        nodes.append(Self.node("Reshape", [name + "_t", name + "_s"], name, []))
        outputs.append(Self.value(name, [1, 1, channels]))
    }

    /// The file, for pictures of this size.
    public func data(width: Int, height: Int) -> Data {
        var graph: [UInt8] = []
        for node in nodes { graph += Self.field(1, node) }
        graph += Self.field(2, Array("tiny".utf8))
        for tensor in initializers { graph += Self.field(5, tensor) }
        graph += Self.field(11, Self.value("input", [1, 3, height, width]))
        for output in outputs { graph += Self.field(12, output) }
        return Data(Self.number(1, 7) + Self.field(7, graph) + Self.field(8, Self.field(1, []) + Self.number(2, 11)))
    }

    private static func node(_ kind: String, _ inputs: [String], _ output: String, _ attributes: [(String, [Int])]) -> [UInt8] {
        var bytes = inputs.flatMap { field(1, Array($0.utf8)) }
        bytes += field(2, Array(output.utf8)) + field(3, Array(output.utf8)) + field(4, Array(kind.utf8))
        for (name, values) in attributes {
            bytes += field(5, field(1, Array(name.utf8)) + values.flatMap { number(8, $0) } + number(20, 7))
        }
        return bytes
    }

    private static func floats(_ name: String, _ shape: [Int], _ values: [Float]) -> [UInt8] {
        shape.flatMap { number(1, $0) } + number(2, 1) + field(8, Array(name.utf8)) + field(9, values.flatMap { bytes($0.bitPattern, 4) })
    }

    private static func integers(_ name: String, _ values: [Int]) -> [UInt8] {
        number(1, values.count) + number(2, 7) + field(8, Array(name.utf8)) + field(9, values.flatMap { bytes(UInt64(bitPattern: Int64($0)), 8) })
    }

    private static func value(_ name: String, _ shape: [Int]) -> [UInt8] {
        let dimensions = shape.flatMap { field(1, number(1, $0)) }
        return field(1, Array(name.utf8)) + field(2, field(1, number(1, 1) + field(2, dimensions)))
    }

    private static func bytes(_ value: some FixedWidthInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var (rest, bytes) = (UInt64(bitPattern: Int64(value)), [UInt8]())
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func number(_ tag: Int, _ value: Int) -> [UInt8] { varint(tag << 3) + varint(value) }
    private static func field(_ tag: Int, _ value: [UInt8]) -> [UInt8] { varint(tag << 3 | 2) + varint(value.count) + value }
}
