import Foundation

/// Places in the checkout that the tests were built from, and beside it.
public enum Checkout {
    public static let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardizedFileURL
    public static let scenarios = root.appending(path: "Scenarios").path

    /// Names of the scenarios that are no fragments, sorted; none when the folder is missing.
    public static let scenarioFiles = (FileManager.default.enumerator(atPath: scenarios)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") }.sorted()

    /// The folder of real material beside the checkout; tests that want it are skipped without it.
    public static let shared = root.appending(path: "../shared/data").standardizedFileURL

    /// Whether there is real material of this name; the folder itself when the name is empty.
    public static func hasShared(_ name: String = "") -> Bool { FileManager.default.fileExists(atPath: shared.appending(path: name).path) }
}
