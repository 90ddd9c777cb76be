// swift-tools-version: 6.2
import PackageDescription

// The tracker and those of its tests that take no footage, for `make mutations`: Vision is built anew for each fault, all else only once.

let optimised: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-O"]),
]

let package = Package(
    name: "mutations",
    targets: [
        .systemLibrary(name: "OpenCVHeaders", pkgConfig: "opencv4"),
        .target(name: "CVisionKernels"),
        .target(
            name: "COpenCV", dependencies: ["OpenCVHeaders", "CVisionKernels"],
            linkerSettings: [.linkedLibrary("dlib"), .linkedLibrary("lapack"), .linkedLibrary("blas")]),
        .target(name: "CoreVideo", swiftSettings: optimised),
        .target(name: "CoreMedia", dependencies: ["CoreVideo"], swiftSettings: optimised),
        .target(name: "Optics", swiftSettings: optimised),
        .target(name: "CChildProcess"),
        .target(name: "Support", dependencies: ["CChildProcess"], swiftSettings: optimised),
        .target(name: "Pipeline", dependencies: ["CoreMedia", "CoreVideo", "Optics"], swiftSettings: optimised),
        .target(
            name: "Vision", dependencies: ["Support", "Pipeline", "CoreMedia", "CoreVideo", "COpenCV", "CVisionKernels"], swiftSettings: optimised),
        .testTarget(
            name: "VisionTests", dependencies: ["Vision", "Pipeline", "CoreMedia", "CoreVideo"],
            sources: ["LifecycleTests.swift", "AssociationTests.swift", "BodyTrackerTests.swift", "Pictures.swift", "Dice.swift"],
            swiftSettings: optimised),
    ],
    cxxLanguageStandard: .cxx17
)
