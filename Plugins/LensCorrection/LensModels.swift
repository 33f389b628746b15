// SPDX-License-Identifier: Apache-2.0

import CLensfun

/// The names of lensfun's models in its data files and in recipes.
enum LensModels {
    static let distortion = [
        "poly3": LF_DIST_MODEL_POLY3, "poly5": LF_DIST_MODEL_POLY5, "ptlens": LF_DIST_MODEL_PTLENS,
    ]
    static let lateralColor = ["linear": LF_TCA_MODEL_LINEAR, "poly3": LF_TCA_MODEL_POLY3]
    static let vignetting = ["pa": LF_VIGNETTING_MODEL_PA]
}
