// SPDX-License-Identifier: Apache-2.0

//! A complete editing extension in Rust, compiled by rustc alone: it changes the exposure of a photo in linear
//! light. The declarations at the top are those of editing_extension.h that it uses.

use std::ffi::{c_char, c_void, CStr, CString};

// The contract.

type Status = i32;
const OK: Status = 0;
const FAILED: Status = 1;
const BAD_ADJUSTMENT: Status = 3;
const SEQUENTIAL: i32 = 0;
const SAMPLES_FLOAT: i32 = 2;
const LINEAR: i32 = 1;

/// A handle, whose contents are known only to the host.
#[repr(C)]
pub struct Image {
    private: [u8; 0],
}

#[repr(C)]
pub struct Error {
    message: [c_char; 1024],
}

#[repr(C)]
pub struct Adjustment {
    format_identifier: *const c_char,
    format_version: *const c_char,
    data: *const c_void,
    size: usize,
}

#[repr(C)]
pub struct Host {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    host_data: *mut c_void,
    identifier: *const c_char,
    version: *const c_char,
    log: unsafe extern "C" fn(*const Host, *const c_char),
    get_capability: unsafe extern "C" fn(*const Host, *const c_char) -> *const c_void,
}

#[repr(C)]
pub struct Input {
    struct_size: u32,
    host_data: *mut c_void,
    media_type: i32,
    media_subtypes: u64,
    content_type: *const c_char,
    creation_date: *const c_char,
    has_location: bool,
    latitude: f64,
    longitude: f64,
    full_width: u32,
    full_height: u32,
    full_size_orientation: i32,
    full_scale: f64,
    display_scale: f64,
    adjustment: *const Adjustment,
    display_image: unsafe extern "C" fn(*const Input, *mut *mut Image, *mut Error) -> Status,
    full_size_image:
        unsafe extern "C" fn(*const Input, i32, *mut *mut Image, *mut Error) -> Status,
}

#[repr(C)]
pub struct Preview {
    struct_size: u32,
    host_data: *mut c_void,
    scale: f64,
    area: [f64; 4],
    image: unsafe extern "C" fn(*const Preview, i32, *mut *mut Image, *mut Error) -> Status,
}

#[repr(C)]
pub struct Output {
    struct_size: u32,
    adjustment: Adjustment,
    image: *mut Image,
    rendered_content_type: *const c_char,
    profile: *const c_char,
}

#[repr(C)]
pub struct Completion {
    struct_size: u32,
    host_data: *mut c_void,
    complete: unsafe extern "C" fn(*const Completion, Status, *const Output, *const Error),
}

type Get<Value> =
    unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut Value) -> bool;

/// The first member of `ee_parameters`; the others are not used.
#[repr(C)]
pub struct Parameters {
    struct_size: u32,
    number: Get<f64>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Layout {
    struct_size: u32,
    samples: i32,
    encoding: i32,
    bands: u32,
}

#[repr(C)]
pub struct Facts {
    struct_size: u32,
    width: u32,
    height: u32,
    samples: i32,
    bands: u32,
    access: i32,
    has_linear: u32,
    profile: *const c_void,
    profile_size: usize,
}

#[repr(C)]
pub struct Source {
    struct_size: u32,
    width: u32,
    height: u32,
    layout: *const Layout,
    data: *mut c_void,
    fill: unsafe extern "C" fn(
        *mut c_void, u32, u32, u32, u32, *mut c_void, usize, *mut Error,
    ) -> Status,
    release: unsafe extern "C" fn(*mut c_void),
}

#[repr(C)]
pub struct Pixels {
    struct_size: u32,
    describe: unsafe extern "C" fn(*mut Image, *mut Facts, *mut Error) -> Status,
    read: unsafe extern "C" fn(
        *mut Image, u32, u32, u32, u32, *const Layout, *mut c_void, usize, *mut Error,
    ) -> Status,
    create:
        unsafe extern "C" fn(*mut Image, *const Source, *mut *mut Image, *mut Error) -> Status,
    retain: unsafe extern "C" fn(*mut Image),
    release: unsafe extern "C" fn(*mut Image),
}

#[repr(C)]
pub struct PhotoEditing {
    struct_size: u32,
    create: unsafe extern "C" fn(*const Host, *mut *mut Controller, *mut Error) -> Status,
    destroy: unsafe extern "C" fn(*mut Controller),
    can_handle:
        unsafe extern "C" fn(*mut Controller, *const Adjustment, *mut bool, *mut Error) -> Status,
    start: unsafe extern "C" fn(*mut Controller, *const Input, *mut Image, *mut Error) -> Status,
    get_parameters:
        unsafe extern "C" fn(*mut Controller, *mut *const c_char, *mut Error) -> Status,
    set_parameters:
        unsafe extern "C" fn(*mut Controller, *const c_char, usize, *mut Error) -> Status,
    render_preview: unsafe extern "C" fn(
        *mut Controller, *const Preview, *mut *mut Image, *mut Error,
    ) -> Status,
    finish: unsafe extern "C" fn(*mut Controller, *const Completion, *mut Error) -> Status,
    cancel: extern "C" fn(*mut Controller),
    should_show_cancel_confirmation: extern "C" fn(*mut Controller) -> bool,
}

#[repr(C)]
pub struct Entry {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    identifier: *const c_char,
    version: *const c_char,
    get_capability: unsafe extern "C" fn(*const c_char) -> *const c_void,
}

// The structures contain only pointers that are valid until the process ends.
unsafe impl Sync for Entry {}

// The extension.

const IDENTIFIER: &CStr = c"com.example.exposurerust";

/// Functions of the host, valid until the process ends.
#[derive(Clone, Copy)]
struct Functions {
    parameters: &'static Parameters,
    pixels: &'static Pixels,
}

/// One edit.
pub struct Controller {
    functions: Functions,
    input: *const Input,
    stops: f64,
    /// The parameters as a JSON object, which is also the recipe.
    json: CString,
}

impl Controller {
    /// Reads the parameter. If the JSON does not contain it, nothing changes.
    unsafe fn set(&mut self, json: *const c_char, size: usize) {
        (self.functions.parameters.number)(json, size, c"stops".as_ptr(), &mut self.stops);
        self.json = CString::new(format!("{{\"stops\":{}}}", self.stops)).unwrap_or_default();
    }

    /// The whole filter. It only prepares the output, whose pixels are computed later. It consumes the image, and
    /// returns a new one.
    unsafe fn expose(
        &self, image: Owned, result: *mut *mut Image, error: *mut Error,
    ) -> Status {
        let pixels = self.functions.pixels;
        let mut facts = Facts {
            struct_size: size_of::<Facts>() as u32,
            width: 0,
            height: 0,
            samples: 0,
            bands: 0,
            access: 0,
            has_linear: 0,
            profile: std::ptr::null(),
            profile_size: 0,
        };
        let status = (pixels.describe)(image.image, &mut facts, error);
        if status != OK {
            return status;
        }
        let layout = Layout {
            struct_size: size_of::<Layout>() as u32,
            samples: SAMPLES_FLOAT,
            encoding: LINEAR,
            bands: facts.bands,
        };
        let source = image.image;
        let exposed = Box::new(Exposed { source: image, layout, factor: self.stops.exp2() as f32 });
        let exposed = Box::into_raw(exposed);
        let description = Source {
            struct_size: size_of::<Source>() as u32,
            width: facts.width,
            height: facts.height,
            layout: &layout,
            data: exposed.cast(),
            fill,
            release,
        };
        let status = (pixels.create)(source, &description, result, error);
        if status != OK {
            drop(Box::from_raw(exposed));
        }
        status
    }
}

/// A reference to an image.
struct Owned {
    image: *mut Image,
    pixels: &'static Pixels,
}

impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { (self.pixels.release)(self.image) }
    }
}

/// The state of an image that is being computed: its input, and the parameters.
struct Exposed {
    source: Owned,
    layout: Layout,
    factor: f32,
}

/// Computes a rectangle of the output. It is called on several threads.
unsafe extern "C" fn fill(
    data: *mut c_void, left: u32, top: u32, width: u32, height: u32, rows: *mut c_void,
    row_bytes: usize, error: *mut Error,
) -> Status {
    let this = &*data.cast::<Exposed>();
    let status = (this.source.pixels.read)(
        this.source.image, left, top, width, height, &this.layout, rows, row_bytes, error);
    if status != OK {
        return status;
    }
    let bands = this.layout.bands as usize;
    for y in 0..height as usize {
        let row = rows.cast::<u8>().add(y * row_bytes).cast::<f32>();
        let samples = std::slice::from_raw_parts_mut(row, width as usize * bands);
        for pixel in samples.chunks_exact_mut(bands) {
            // The fourth band, alpha, does not change.
            pixel[..3].iter_mut().for_each(|sample| *sample *= this.factor);
        }
    }
    OK
}

unsafe extern "C" fn release(data: *mut c_void) {
    drop(Box::from_raw(data.cast::<Exposed>()));
}

unsafe extern "C" fn create(
    host: *const Host, controller: *mut *mut Controller, _error: *mut Error,
) -> Status {
    let Some(functions) = functions(host) else { return FAILED };
    *controller = Box::into_raw(Box::new(Controller {
        functions,
        input: std::ptr::null(),
        stops: 0.0,
        json: c"{\"stops\":0}".into(),
    }));
    OK
}

unsafe extern "C" fn destroy(controller: *mut Controller) {
    drop(Box::from_raw(controller));
}

unsafe extern "C" fn can_handle(
    _controller: *mut Controller, recipe: *const Adjustment, answer: *mut bool, _error: *mut Error,
) -> Status {
    *answer = CStr::from_ptr((*recipe).format_identifier) == IDENTIFIER;
    OK
}

unsafe extern "C" fn start(
    controller: *mut Controller, input: *const Input, _placeholder: *mut Image, _error: *mut Error,
) -> Status {
    let this = &mut *controller;
    this.input = input;
    if let Some(recipe) = (*input).adjustment.as_ref() {
        // The data of an empty recipe may be null.
        if recipe.size == 0 || *recipe.data.cast::<u8>() != b'{' {
            return BAD_ADJUSTMENT;
        }
        this.set(recipe.data.cast(), recipe.size);
    }
    OK
}

unsafe extern "C" fn get_parameters(
    controller: *mut Controller, json: *mut *const c_char, _error: *mut Error,
) -> Status {
    *json = (*controller).json.as_ptr();
    OK
}

unsafe extern "C" fn set_parameters(
    controller: *mut Controller, json: *const c_char, size: usize, _error: *mut Error,
) -> Status {
    (*controller).set(json, size);
    OK
}

unsafe extern "C" fn render_preview(
    controller: *mut Controller, preview: *const Preview, result: *mut *mut Image,
    error: *mut Error,
) -> Status {
    let this = &*controller;
    let mut image = std::ptr::null_mut();
    let status = ((*preview).image)(preview, SEQUENTIAL, &mut image, error);
    if status != OK {
        return status;
    }
    this.expose(Owned { image, pixels: this.functions.pixels }, result, error)
}

unsafe extern "C" fn finish(
    controller: *mut Controller, completion: *const Completion, error: *mut Error,
) -> Status {
    let this = &*controller;
    let mut full = std::ptr::null_mut();
    let status = ((*this.input).full_size_image)(this.input, SEQUENTIAL, &mut full, error);
    if status != OK {
        return status;
    }
    let mut image = std::ptr::null_mut();
    let status = this.expose(Owned { image: full, pixels: this.functions.pixels }, &mut image, error);
    if status != OK {
        return status;
    }
    // The host holds its own reference.
    let image = Owned { image, pixels: this.functions.pixels };
    let output = Output {
        struct_size: size_of::<Output>() as u32,
        adjustment: Adjustment {
            format_identifier: IDENTIFIER.as_ptr(),
            format_version: c"1.0".as_ptr(),
            data: this.json.as_ptr().cast(),
            size: this.json.as_bytes().len(),
        },
        image: image.image,
        rendered_content_type: std::ptr::null(),
        profile: std::ptr::null(),
    };
    ((*completion).complete)(completion, OK, &output, std::ptr::null());
    OK
}

/// No work continues between calls, so there is nothing to cancel.
extern "C" fn cancel(_controller: *mut Controller) {}

extern "C" fn should_show_cancel_confirmation(_controller: *mut Controller) -> bool {
    false
}

static PHOTO_EDITING: PhotoEditing = PhotoEditing {
    struct_size: size_of::<PhotoEditing>() as u32,
    create,
    destroy,
    can_handle,
    start,
    get_parameters,
    set_parameters,
    render_preview,
    finish,
    cancel,
    should_show_cancel_confirmation,
};

unsafe extern "C" fn get_capability(id: *const c_char) -> *const c_void {
    if CStr::from_ptr(id) == c"org.edithost.photo-editing/1" {
        (&raw const PHOTO_EDITING).cast()
    } else {
        std::ptr::null()
    }
}

static ENTRY: Entry = Entry {
    struct_size: size_of::<Entry>() as u32,
    abi_major: 1,
    abi_minor: 1,
    identifier: IDENTIFIER.as_ptr(),
    version: c"1.0".as_ptr(),
    get_capability,
};

/// Returns the functions of the host, or `None` if the host is too old.
unsafe fn functions(host: *const Host) -> Option<Functions> {
    let capability = |id: &CStr| unsafe { ((*host).get_capability)(host, id.as_ptr()) };
    Some(Functions {
        parameters: capability(c"org.edithost.parameters/1").cast::<Parameters>().as_ref()?,
        pixels: capability(c"org.edithost.pixels/1").cast::<Pixels>().as_ref()?,
    })
}

/// The only symbol that the library exports.
///
/// # Safety
///
/// The host must be valid until the process ends.
#[no_mangle]
pub unsafe extern "C" fn editing_extension_entry(host: *const Host) -> *const Entry {
    if functions(host).is_some() { &ENTRY } else { std::ptr::null() }
}
