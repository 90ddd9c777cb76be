import Foundation
import FuzzSupport
import TestSupport
import Testing

@Suite("Files of networks, changed by chance")
struct ModelFuzzTests {
    /// Gives each input to the tool as a network, since OpenCV may not survive it.
    private func fuzz(_ name: String, _ option: String, as file: String, beside other: String? = nil, _ mutate: (inout FuzzGenerator) -> Data) throws
    {
        let scratch = try Scratch()
        _ = try scratch.write("1,1,1,1,1,1,1,face,1", to: "none.txt")
        if let other { try Data(count: 64_000).write(to: scratch.url.appending(path: other)) }
        try FuzzRun(name, count: 6)(mutate) { bytes, seed in
            try bytes.write(to: scratch.url.appending(path: file))
            let run = try ToolRun(["detect", "none.txt", "-o", "a.jsonl", option, other ?? file], directory: scratch.url)
            // OpenCV may have said something before.
            #expect(run.exitCode == 66 && run.errors.contains("rackfocus: "), "seed \(seed): \(run.exitCode) \(run.errors)")
        }
    }

    @Test("faces: are opened, or refused as no such model")
    func faces() throws {
        var tiny = TinyModel()
        for stride in [8, 16, 32] {
            for (name, channels) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
                tiny.add(
                    "\(name)_\(stride)", stride: stride, weights: Array(repeating: [0, 0, 0], count: channels),
                    bias: Array(repeating: 0.5, count: channels))
            }
        }
        let mutator = ProtobufMutator([tiny.data(width: 320, height: 192)])
        try fuzz("model-face", "--face-model", as: "face.onnx") { mutator(&$0) }
    }

    @Test("objects of Darknet: the .cfg is read, or refused as no such model")
    func objects() throws {
        let mutator = TextMutator([Self.darknet])
        try fuzz("model-object", "--object-model", as: "objects.cfg", beside: "objects.weights") { mutator(&$0) }
    }

    /// Halves the picture five times and tells 80 classes for three boxes a cell.
    private static let darknet =
        "[net]\nwidth=320\nheight=320\nchannels=3\n\n"
        + (0..<5).map { _ in "[convolutional]\nbatch_normalize=1\nfilters=4\nsize=3\nstride=2\npad=1\nactivation=leaky\n\n" }.joined()
        + "[route]\nlayers=-1\n\n[convolutional]\nfilters=255\nsize=1\nstride=1\npad=1\nactivation=linear\n\n"
        + "[yolo]\nmask=0,1,2\nanchors=10,14, 23,27, 37,58\nclasses=80\nnum=3\njitter=.3\nignore_thresh=.7\n"
}
