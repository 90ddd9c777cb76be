import Testing

/// One test case at a time of all suites that use the validation layer: it looks up a device without a lock in a table that changes where another is
/// made or destroyed, and crashes (1.3.239, https://github.com/KhronosGroup/Vulkan-ValidationLayers/issues/4391).
struct ValidationTrait: SuiteTrait, TestTrait, TestScoping {
    private static let turn = Turn()

    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        await Self.turn.take()
        do {
            try await function()
        } catch {
            await Self.turn.pass()
            throw error
        }
        await Self.turn.pass()
    }

    private actor Turn {
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            guard isTaken else {
                isTaken = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func pass() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == ValidationTrait {
    /// The suite uses the validation layer.
    static var validated: Self { Self() }
}
