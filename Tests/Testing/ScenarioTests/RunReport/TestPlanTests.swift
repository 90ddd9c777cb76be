import Foundation
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("A plan of tests")
struct TestPlanTests {
    @Test(
        "knows its shard from its surroundings",
        arguments: [
            (["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "5"], TestPlan.Shard("3/4")),
            (Self.array("1-5:2", task: 3, count: 3), TestPlan.Shard("2/3")),
            (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "8"], TestPlan.Shard("1/8")),
            (["TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "2"], TestPlan.Shard("2/2")), (["HOME": "/"], nil),
            (["JOB_COMPLETION_INDEX": "8", "JOB_COMPLETIONS": "8"], nil),
        ])
    func shards(environment: [String: String], shard: TestPlan.Shard?) throws {
        #expect(try TestPlan.Shard(environment: environment) == shard)
    }

    @Test("does not guess what the tasks of a Slurm array with gaps are to do", arguments: [5, 17])
    func gaps(task: Int) {
        let error = #expect(throws: TestPlan.Shard.UnevenArray.self) { try TestPlan.Shard(environment: Self.array("5-17:1", task: task, count: 2)) }
        #expect(error?.description.hasPrefix("task \(task) is of a Slurm array of 2 that has gaps") == true)
    }

    /// Variables of a task in `--array=FIRST-LAST:STEP`.
    private static func array(_ range: String, task: Int, count: Int) -> [String: String] {
        let numbers = range.split { "-:".contains($0) }.map(String.init)
        return [
            "SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": numbers[0],
            "SLURM_ARRAY_TASK_MAX": numbers[1], "SLURM_ARRAY_TASK_STEP": numbers[2],
        ]
    }

    @Test("refuses shards that are none", arguments: ["0/2", "3/2", "1", "a/b", "1/2/3"])
    func noShard(text: String) { #expect(TestPlan.Shard(text) == nil) }

    @Test("the worst verdict wins")
    func worst() {
        #expect(Verdict.internal.worse(than: .notReproducible) && Verdict.goldenMissing.worse(than: .failed))
    }

    @Test("two traces are told apart at their first line that differs")
    func difference() {
        #expect(GoldenTrace.difference("a\nb\nc", "a\nx\nc") == "    line 2:\n      a\n    - b\n    + x")
        #expect(GoldenTrace.difference("a", "a\nb") == "    line 2:\n      a\n    + b")
    }
}
