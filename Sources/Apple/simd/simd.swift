// The module simd: the names of vectors, which Swift has itself, and matrices of up to four columns with what camera code does with
// them. Angles are radians. Coverage.md lists what there is.

/// Vector of two 32-bit numbers.
public typealias simd_float2 = SIMD2<Float>
/// Vector of three 32-bit numbers.
public typealias simd_float3 = SIMD3<Float>
/// Vector of four 32-bit numbers.
public typealias simd_float4 = SIMD4<Float>
/// Vector of two 64-bit numbers.
public typealias simd_double2 = SIMD2<Double>
/// Vector of three 64-bit numbers.
public typealias simd_double3 = SIMD3<Double>
/// Vector of four 64-bit numbers.
public typealias simd_double4 = SIMD4<Double>
/// Vector of two 32-bit integers.
public typealias simd_int2 = SIMD2<Int32>
/// Vector of three 32-bit integers.
public typealias simd_int3 = SIMD3<Int32>
/// Vector of four 32-bit integers.
public typealias simd_int4 = SIMD4<Int32>
/// Vector of two unsigned 32-bit integers.
public typealias simd_uint2 = SIMD2<UInt32>
/// Vector of three unsigned 32-bit integers.
public typealias simd_uint3 = SIMD3<UInt32>
/// Vector of four unsigned 32-bit integers.
public typealias simd_uint4 = SIMD4<UInt32>
/// Vector of two 32-bit numbers, by its older name.
public typealias vector_float2 = simd_float2
/// Vector of three 32-bit numbers, by its older name.
public typealias vector_float3 = simd_float3
/// Vector of four 32-bit numbers, by its older name.
public typealias vector_float4 = simd_float4
/// Vector of two 32-bit numbers, by its short name.
public typealias float2 = simd_float2
/// Vector of three 32-bit numbers, by its short name.
public typealias float3 = simd_float3
/// Vector of four 32-bit numbers, by its short name.
public typealias float4 = simd_float4

/// Matrix of three columns and three rows, by its older name.
public typealias matrix_float3x3 = simd_float3x3
/// Matrix of four columns and three rows, by its older name.
public typealias matrix_float4x3 = simd_float4x3
/// Matrix of four columns and four rows, by its older name.
public typealias matrix_float4x4 = simd_float4x4
/// Matrix of three columns and three rows, by its short name.
public typealias float3x3 = simd_float3x3
/// Matrix of four columns and three rows, by its short name.
public typealias float4x3 = simd_float4x3
/// Matrix of four columns and four rows, by its short name.
public typealias float4x4 = simd_float4x4

/// The identity of three dimensions.
public let matrix_identity_float3x3 = simd_float3x3(diagonal: SIMD3(repeating: 1))
/// The identity of four dimensions.
public let matrix_identity_float4x4 = simd_float4x4(diagonal: SIMD4(repeating: 1))
