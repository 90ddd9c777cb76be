import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// Entries of the folder for a test run's results: those of an earlier run, and the files of others.
struct EarlierResults {
    private let directory: String
    private let entries: [DirectoryListing.Entry]
    private let manifest: ResultsManifest?

    /// A directory that is not there has nothing in it; one that cannot be listed is an error, as nobody knows what would be lost.
    init(in directory: String) throws(OutputError) {
        self.directory = directory
        var status = stat()
        guard stat(directory, &status) == 0 else {
            (entries, manifest) = ([], nil)
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(code: .notDirectory, path: directory, action: "write results to it") }
        do throws(InputError) {
            entries = try DirectoryListing(of: directory).entries.filter { !$0.name.hasPrefix(".") }
            manifest = try ResultsManifest(in: directory)
        } catch {
            throw OutputError(code: .failed, path: directory, action: "tell whose results are there: \(error)")
        }
    }

    /// Part of the earlier run that the results are of; nil without any.
    var shard: TestPlan.Shard? { manifest?.shard }

    /// Whether there is nothing at all, so that nothing can be lost.
    var isEmpty: Bool { entries.isEmpty }

    /// Removes the results of the earlier run, or its reports alone where they are to be resumed, and gives what stays because it is not theirs.
    /// Throws, with everything as it was, when that is in the way of `names`.
    func makeRoom(for names: Set<String>, resuming: Bool) throws(OutputError) -> [String] {
        var (own, others, inTheWay) = ([String](), [String](), [String]())
        for entry in entries where entry.name != OutputManifest.name || manifest == nil {
            let foreign = foreign(in: entry)
            if foreign.isEmpty, !resuming || TestReport.names.contains(entry.name) { own.append(entry.name) }
            others += foreign
            if names.contains(entry.name) { inTheWay += foreign }
        }
        if !inTheWay.isEmpty { throw OutputError(code: .foreign, path: directory, action: "replace results in it", other: OutputError.few(inTheWay)) }
        // The manifest last: until then it says whose the rest is.
        for name in own + (manifest == nil || resuming ? [] : [OutputManifest.name]) { try OutputDirectory.remove("\(directory)/\(name)") }
        return others
    }

    /// Files of one entry that are not the earlier run's.
    private func foreign(in entry: DirectoryListing.Entry) -> [String] {
        let path = "\(directory)/\(entry.name)"
        if let listed = manifest?.files[entry.name] {
            return OutputManifest.deviation(of: path, from: listed)?.isForeign == true ? [entry.name] : []
        }
        guard entry.isDirectory, manifest?.plan.contains(where: { $0.directory == entry.name }) == true else { return [entry.name] }
        do throws(InputError) { return try OutputManifest.foreign(in: path).map { "\(entry.name)/\($0.path)" } } catch { return [entry.name] }
    }
}
