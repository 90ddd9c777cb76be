import CoreMedia
import Foundation
import FuzzSupport
import Testing

@testable import Pipeline

@Suite("Keys and samples of QuickTime's timed metadata, changed by chance")
struct MetadataKeyTableFuzzTests {
    private static let keys = [
        MetadataKey(
            number: 1, identifier: "mdta/com.apple.quicktime.location.ISO6709", dataType: kCMMetadataBaseDataType_UTF8 as String, language: "en"),
        MetadataKey(number: 2, identifier: "mdta/org.example.tilt", dataType: kCMMetadataBaseDataType_Float64 as String),
        MetadataKey(number: 3, identifier: "mdta/org.example.box", dataType: "com.example.box"),
    ]

    @Test("tables are read as far as they are whole, and written again as they were read")
    func tables() throws {
        let table = MetadataKeyTable.data(of: Self.keys)
        #expect(MetadataKeyTable.keys(in: table) == Self.keys)
        let mutator = ByteMutator([table])
        try FuzzRun("metadata-keys", count: 3000)({ mutator(&$0) }) { input, seed in
            let read = MetadataKeyTable.keys(in: input)
            #expect(read.count <= input.count / 8, "seed \(seed)")
            let again = MetadataKeyTable.keys(in: MetadataKeyTable.data(of: read))
            #expect(again.map(\.number) == read.map(\.number) && again.map(\.dataType) == read.map(\.dataType), "seed \(seed)")
        }
    }

    @Test("samples are read as far as they are whole")
    func samples() throws {
        let sample = MetadataKeyTable.sample(of: [(1, Data("+27.5916+086.5640/".utf8)), (2, Data(repeating: 0, count: 8)), (3, Data())])
        let mutator = ByteMutator([sample, MetadataKeyTable.sample(of: [])])
        try FuzzRun("metadata-sample", count: 3000)({ mutator(&$0) }) { input, seed in
            let values = MetadataKeyTable.values(in: input)
            #expect(values.reduce(0) { $0 + 8 + $1.value.count } <= input.count, "seed \(seed)")
            let again = MetadataKeyTable.values(in: MetadataKeyTable.sample(of: values))
            #expect(again.map(\.key) == values.map(\.key) && again.map(\.value) == values.map(\.value), "seed \(seed)")
        }
    }
}
