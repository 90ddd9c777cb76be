import Foundation
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite("The schema of the format")
struct SchemaTests {
    private let schema: SchemaCheck

    init() throws { schema = try SchemaCheck(ScenarioSchema.json) }

    @Test("takes every scenario there is", arguments: Checkout.scenarioFiles)
    func scenarios(file: String) throws {
        let text = try String(contentsOfFile: "\(Checkout.scenarios)/\(file)", encoding: .utf8)
        let objections = try schema.objections(to: Node.parse(text, file: file))
        #expect(objections.isEmpty, "\(objections)")
    }

    @Test("takes the reader's own tests")
    func written() throws {
        let text = """
            scenario: 42
            format: 1
            clip: {source: {left: l.mp4, right: r.mp4, baseline: 6cm, focalLength: 900px}, fps: 30000/1001, detections: a.jsonl}
            tuning: {rack: 600ms, lowLight: {enter: 12lx}, weight: {size: 0.3}, "faceAwayYaw": 50°}
            timeline:
              - 0s: {record: start, mark: début}
              - début+350ms: {expect: {recording: true, distance: "0.7m ±5%", objects: 3, blur: {background: "> 6px"}}}
              - end: {never: {focus: {kind: salient, near: {px: [3, 4]}}, since: début}}
            """
        #expect(try schema.objections(to: Node.parse(text, file: "own.yaml")) == [])
    }

    /// Files whose fault is a key, a verb, a word or a unit, which a schema can tell.
    @Test(
        "refuses what an editor can see is wrong",
        arguments: [
            "unknown-key", "unknown-section", "unknown-verb", "unknown-tuning", "unknown-kind", "time-without-unit", "no-depth-unit", "bare-point",
            "bare-f-number", "two-times-in-one-item", "expect-unknown-mode", "rect-unknown-style", "sound-unknown-key", "sound-tone-unit",
            "fault-late-too-late", "switch-to-unknown", "blur-without-sign", "blur-without-unit", "format-unknown", "source-device", "why-unknown",
            "wrong-format", "decimal-rate",
        ])
    func bad(name: String) throws {
        let file = try #require(BadFilesTests.files.first { $0.lastPathComponent == "\(name).yaml" })
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(try schema.objections(to: Node.parse(text, file: name)) != [])
    }

    @Test("knows every key that the reader knows")
    func keys() throws {
        let definitions = try #require(schema.root["$defs"] as? [String: [String: Any]])
        func check(_ table: FormatTable) {
            let known = (definitions[table.name]?["properties"] as? [String: Any])?.keys.sorted()
            #expect(known == table.names.sorted(), "\(table.name)")
        }
        let tables = [
            Format.file, Format.clip, Format.source, Format.device, Format.session, Format.view, Format.environment, Format.table, Format.lamp,
            Format.subject, Format.sound, Format.issue, Format.goldens, Format.goldenFrames, Format.likeness, Format.tuning, Verbs.table,
            Format.point, PressVerb.table, TouchVerb.table, SetVerb.table, ThrowsVerb.setTable, APICall.table, ThrowsVerb.apiTable,
            ThrowsVerb.table, EnterVerb.table, ExitVerb.table, MoveVerb.table, TurnVerb.table, LightVerb.table, CoverVerb.table,
            OccludeVerb.table, CameraVerb.table, FaultVerb.table, FaultVerb.interrupt, FaultVerb.lateMetadata, ExpectVerb.table, HoldVerb.table,
            NeverVerb.table, Format.focus, FocusVerb.table, FocusVerb.place, ApertureVerb.table,
        ]
        for table in tables { check(table) }
        // A table that is read and not listed here would be the only way to miss one.
        let nested = Set(definitions.keys.filter { !$0.contains(".") && $0 != "filledIn" })
        #expect(nested == Set(tables.map(\.name)))
    }

    @Test("is a schema, says Python's jsonschema", .enabled(if: SchemaCheck.hasPython, "needs python3-jsonschema"))
    func metaschema() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import json,sys,jsonschema; jsonschema.Draft202012Validator.check_schema(json.load(sys.stdin))"]
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        pipe.fileHandleForWriting.write(Data(ScenarioSchema.json.utf8))
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
