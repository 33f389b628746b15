// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// A request as it came, with its descriptors.
struct Incoming: Sendable {
    /// The number to answer with.
    let number: UInt32
    /// What is asked.
    let request: RunnerRequest
    private let descriptors: [DescriptorRole: OpenFile]

    init(number: UInt32, envelope: RequestEnvelope, descriptors: [OpenFile]) {
        self.number = number
        request = envelope.request
        let pairs = zip(envelope.descriptors, descriptors)
        self.descriptors = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The descriptor of a role, if it came.
    func optional(_ role: DescriptorRole) -> OpenFile? { descriptors[role] }

    /// The descriptor of a role that the request cannot do without.
    func descriptor(_ role: DescriptorRole) throws(RunnerFailure) -> OpenFile {
        guard let found = descriptors[role] else {
            throw RunnerFailure(
                code: .badRequest, message: "the descriptor \(role.rawValue) did not come along")
        }
        return found
    }

    /// The picture that is worked on.
    func base(
        _ kind: RenderInput.Base, originalProfile: [UInt8]?, assumed: ColorProfile? = nil,
        _ runtime: Runtime
    ) throws(RunnerFailure) -> BasePicture {
        guard let file = optional(.reusedBase), case .raw(let layout) = kind else {
            return try BasePicture(
                kind, file: try descriptor(.base), originalProfile: originalProfile,
                assumed: assumed, decodes: runtime.decodes)
        }
        guard let mapping = runtime.mappings.mapping(of: file, isWritable: false) else {
            throw RunnerFailure(code: .badRequest, message: "the raw pixels cannot be mapped")
        }
        return try BasePicture(
            mapping, layout, originalProfile: originalProfile, decodes: runtime.decodes)
    }

    /// The original's RGB profile, which comes by itself for a runner that does not get the original.
    func profile(of original: MetadataSource?) throws(RunnerFailure) -> [UInt8]? {
        if let original { return original.profile }
        guard let file = optional(.profile), let length = file.length, length > 0 else {
            return nil
        }
        guard length <= ICCProfile.maximumBytes, let bytes = Bytes(mapping: file, length: length)
        else {
            throw RunnerFailure(code: .badRequest, message: "the profile cannot be read")
        }
        return Array(bytes.memory)
    }
}
