import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// `rackfocus test --worker`: runs the scenarios that come in as lines of JSON, and answers each with a line (see `WorkerPool`).
struct TestWorker {
    private let job: ScenarioJob

    init(_ options: TestRun.Options) throws { job = try ScenarioJob(options) }

    func run() throws {
        var lines = LineReader(STDIN_FILENO)
        while let line = lines.next() {
            try job.run(JSONDecoder().decode(TestPlan.Item.self, from: Data(line)))
            StandardOutput.print("done")
        }
    }
}
