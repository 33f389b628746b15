// SPDX-License-Identifier: Apache-2.0

/// The contract in Rust.
extension ExtensionTemplate {
    /// The declarations of `editing_extension.h`.
    static let rustContract = #"""
        //! The declarations of editing_extension.h that the extension uses, in the order of the header.
        #![allow(dead_code)]

        use std::os::raw::{c_char, c_void};

        pub const ABI_MAJOR: u32 = 1;
        pub const ABI_MINOR: u32 = 1;

        pub const PHOTO_EDITING_CAPABILITY: &[u8] = b"org.edithost.photo-editing/1\0";
        pub const MANIFEST_CAPABILITY: &[u8] = b"org.edithost.manifest/1\0";
        pub const PARAMETERS_CAPABILITY: &[u8] = b"org.edithost.parameters/1\0";
        pub const PIXELS_CAPABILITY: &[u8] = b"org.edithost.pixels/1\0";

        pub type Status = i32;
        pub const OK: Status = 0;
        pub const FAILED: Status = 1;
        pub const BAD_PARAMETER: Status = 2;
        pub const BAD_ADJUSTMENT: Status = 3;
        pub const UNSUPPORTED: Status = 4;
        pub const CANCELLED: Status = 5;
        pub const DISCARDED: Status = 6;

        pub type Access = i32;
        pub const SEQUENTIAL: Access = 0;
        pub const RANDOM: Access = 1;

        pub type Samples = i32;
        pub const SAMPLES_UINT8: Samples = 0;
        pub const SAMPLES_UINT16: Samples = 1;
        pub const SAMPLES_FLOAT: Samples = 2;

        pub type Encoding = i32;
        pub const ENCODED: Encoding = 0;
        pub const LINEAR: Encoding = 1;

        /// A handle. Only the host knows its contents.
        #[repr(C)]
        pub struct Image {
            private: [u8; 0],
        }

        #[repr(C)]
        pub struct Error {
            pub message: [c_char; 1024],
        }

        #[repr(C)]
        pub struct Adjustment {
            pub format_identifier: *const c_char,
            pub format_version: *const c_char,
            pub data: *const c_void,
            pub size: usize,
        }

        #[repr(C)]
        pub struct Host {
            pub struct_size: u32,
            pub abi_major: u32,
            pub abi_minor: u32,
            pub host_data: *mut c_void,
            pub identifier: *const c_char,
            pub version: *const c_char,
            pub log: unsafe extern "C" fn(*const Host, *const c_char),
            pub get_capability: unsafe extern "C" fn(*const Host, *const c_char) -> *const c_void,
        }

        /// Members after these are not used.
        #[repr(C)]
        pub struct Input {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub media_type: i32,
            pub media_subtypes: u64,
            pub content_type: *const c_char,
            pub creation_date: *const c_char,
            pub has_location: bool,
            pub latitude: f64,
            pub longitude: f64,
            pub full_width: u32,
            pub full_height: u32,
            pub full_size_orientation: i32,
            pub full_scale: f64,
            pub display_scale: f64,
            pub adjustment: *const Adjustment,
            pub display_image: unsafe extern "C" fn(*const Input, *mut *mut Image, *mut Error) -> Status,
            pub full_size_image:
                unsafe extern "C" fn(*const Input, Access, *mut *mut Image, *mut Error) -> Status,
        }

        #[repr(C)]
        pub struct Preview {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub scale: f64,
            pub area: [f64; 4],
            pub image: unsafe extern "C" fn(*const Preview, Access, *mut *mut Image, *mut Error) -> Status,
        }

        #[repr(C)]
        pub struct Output {
            pub struct_size: u32,
            pub adjustment: Adjustment,
            pub image: *mut Image,
            pub rendered_content_type: *const c_char,
            pub profile: *const c_char,
        }

        #[repr(C)]
        pub struct Completion {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub complete: unsafe extern "C" fn(*const Completion, Status, *const Output, *const Error),
        }

        /// Reads a value of a JSON object.
        pub type Get<Value> = unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut Value) -> bool;

        #[repr(C)]
        pub struct Parameters {
            pub struct_size: u32,
            pub number: Get<f64>,
            pub integer: Get<i64>,
            pub boolean: Get<bool>,
            pub text:
                unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut c_char, usize) -> bool,
            pub color: Get<[f64; 4]>,
            pub point: Get<[f64; 2]>,
            pub rectangle: Get<[f64; 4]>,
            pub points: unsafe extern "C" fn(
                *const c_char, usize, *const c_char, *mut [f64; 2], usize, *mut usize,
            ) -> bool,
            pub curve: unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut f64, usize) -> bool,
            pub merge:
                unsafe extern "C" fn(*mut c_char, usize, *const c_char, usize, *mut Error) -> Status,
        }

        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct PixelLayout {
            pub struct_size: u32,
            pub samples: Samples,
            pub encoding: Encoding,
            pub bands: u32,
        }

        #[repr(C)]
        pub struct ImageFacts {
            pub struct_size: u32,
            pub width: u32,
            pub height: u32,
            pub samples: Samples,
            pub bands: u32,
            pub access: Access,
            pub has_linear: u32,
            pub profile: *const c_void,
            pub profile_size: usize,
        }

        #[repr(C)]
        pub struct ImageSource {
            pub struct_size: u32,
            pub width: u32,
            pub height: u32,
            pub layout: *const PixelLayout,
            pub data: *mut c_void,
            pub fill: unsafe extern "C" fn(
                *mut c_void, u32, u32, u32, u32, *mut c_void, usize, *mut Error,
            ) -> Status,
            pub release: unsafe extern "C" fn(*mut c_void),
        }

        #[repr(C)]
        pub struct Pixels {
            pub struct_size: u32,
            pub describe: unsafe extern "C" fn(*mut Image, *mut ImageFacts, *mut Error) -> Status,
            pub read: unsafe extern "C" fn(
                *mut Image, u32, u32, u32, u32, *const PixelLayout, *mut c_void, usize, *mut Error,
            ) -> Status,
            pub create: unsafe extern "C" fn(
                *mut Image, *const ImageSource, *mut *mut Image, *mut Error,
            ) -> Status,
            pub retain: unsafe extern "C" fn(*mut Image),
            pub release: unsafe extern "C" fn(*mut Image),
            pub reduced_image:
                unsafe extern "C" fn(*const Input, u32, *mut *mut Image, *mut Error) -> Status,
        }

        /// The functions of the extension. `Controller` is its type for an edit.
        #[repr(C)]
        pub struct PhotoEditing<Controller> {
            pub struct_size: u32,
            pub create: unsafe extern "C" fn(*const Host, *mut *mut Controller, *mut Error) -> Status,
            pub destroy: unsafe extern "C" fn(*mut Controller),
            pub can_handle:
                unsafe extern "C" fn(*mut Controller, *const Adjustment, *mut bool, *mut Error) -> Status,
            pub start:
                unsafe extern "C" fn(*mut Controller, *const Input, *mut Image, *mut Error) -> Status,
            pub get_parameters:
                unsafe extern "C" fn(*mut Controller, *mut *const c_char, *mut Error) -> Status,
            pub set_parameters:
                unsafe extern "C" fn(*mut Controller, *const c_char, usize, *mut Error) -> Status,
            pub render_preview: unsafe extern "C" fn(
                *mut Controller, *const Preview, *mut *mut Image, *mut Error,
            ) -> Status,
            pub finish: unsafe extern "C" fn(*mut Controller, *const Completion, *mut Error) -> Status,
            pub cancel: unsafe extern "C" fn(*mut Controller),
            pub should_show_cancel_confirmation: unsafe extern "C" fn(*mut Controller) -> bool,
        }

        #[repr(C)]
        pub struct Manifest {
            pub struct_size: u32,
            pub json: unsafe extern "C" fn() -> *const c_char,
        }

        #[repr(C)]
        pub struct Entry {
            pub struct_size: u32,
            pub abi_major: u32,
            pub abi_minor: u32,
            pub identifier: *const c_char,
            pub version: *const c_char,
            pub get_capability: unsafe extern "C" fn(*const c_char) -> *const c_void,
        }

        """#
}
