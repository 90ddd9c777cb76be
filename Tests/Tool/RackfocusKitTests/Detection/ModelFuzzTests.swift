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
        let mutator = ProtobufMutator([TinyModel.yuNet])
        try fuzz("model-face", "--face-model", as: "face.onnx") { mutator(&$0) }
    }

    @Test("objects of Darknet: the .cfg is read, or refused as no such model")
    func objects() throws {
        let mutator = TextMutator([TinyModel.darknet])
        try fuzz("model-object", "--object-model", as: "objects.cfg", beside: "objects.weights") { mutator(&$0) }
    }
}
