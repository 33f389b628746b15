// SPDX-License-Identifier: Apache-2.0

//! A well-behaved plug-in in Rust. It inverts colours on two threads, with collections, strings and
//! channels of the standard library. With the parameter "fault" it panics in a call by the host.

use std::collections::HashMap;
use std::ffi::{c_char, c_void, CStr};
use std::sync::mpsc;
use std::thread;

type Status = i32;
const OK: Status = 0;
const FAILED: Status = 1;

#[repr(C)]
pub struct VipsImage {
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

type ImageCall = unsafe extern "C" fn(*const Input, *mut *mut VipsImage, *mut Error) -> Status;
type FullImageCall =
    unsafe extern "C" fn(*const Input, i32, *mut *mut VipsImage, *mut Error) -> Status;

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
    display_image: ImageCall,
    full_size_image: FullImageCall,
}

#[repr(C)]
pub struct Output {
    struct_size: u32,
    adjustment: Adjustment,
    image: *mut VipsImage,
    rendered_content_type: *const c_char,
    profile: *const c_char,
}

#[repr(C)]
pub struct Completion {
    struct_size: u32,
    host_data: *mut c_void,
    complete: unsafe extern "C" fn(*const Completion, Status, *const Output, *const Error),
}

pub struct Controller {
    input: *const Input,
    output: *mut VipsImage,
    pixels: Vec<u8>,
    recipe: String,
    has_fault: bool,
}

#[repr(C)]
pub struct PhotoEditing {
    struct_size: u32,
    create: extern "C" fn(*const c_void, *mut *mut Controller, *mut Error) -> Status,
    destroy: unsafe extern "C" fn(*mut Controller),
    can_handle:
        unsafe extern "C" fn(*mut Controller, *const Adjustment, *mut bool, *mut Error) -> Status,
    start: unsafe extern "C" fn(*mut Controller, *const Input, *mut VipsImage, *mut Error)
        -> Status,
    get_parameters:
        unsafe extern "C" fn(*mut Controller, *mut *const c_char, *mut Error) -> Status,
    set_parameters:
        unsafe extern "C" fn(*mut Controller, *const u8, usize, *mut Error) -> Status,
    render_preview:
        unsafe extern "C" fn(
            *mut Controller, *const c_void, *mut *mut VipsImage, *mut Error,
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

// It is constant, and its strings are static.
unsafe impl Sync for Entry {}

extern "C" {
    fn vips_image_write_to_memory(image: *mut VipsImage, size: *mut usize) -> *mut u8;
    fn vips_image_new_from_memory(
        data: *const u8, size: usize, width: i32, height: i32, bands: i32, format: i32,
    ) -> *mut VipsImage;
    fn vips_image_get_width(image: *const VipsImage) -> i32;
    fn vips_image_get_height(image: *const VipsImage) -> i32;
    fn vips_image_get_bands(image: *const VipsImage) -> i32;
    fn g_object_unref(object: *mut VipsImage);
    fn g_free(memory: *mut u8);
}

extern "C" fn create(
    _host: *const c_void, controller: *mut *mut Controller, _error: *mut Error,
) -> Status {
    let made = Box::new(Controller {
        input: std::ptr::null(),
        output: std::ptr::null_mut(),
        pixels: Vec::new(),
        recipe: String::new(),
        has_fault: false,
    });
    unsafe { *controller = Box::into_raw(made) };
    OK
}

unsafe extern "C" fn destroy(controller: *mut Controller) {
    let controller = Box::from_raw(controller);
    if !controller.output.is_null() {
        g_object_unref(controller.output);
    }
}

unsafe extern "C" fn can_handle(
    _controller: *mut Controller, recipe: *const Adjustment, answer: *mut bool, _error: *mut Error,
) -> Status {
    let identifier = CStr::from_ptr((*recipe).format_identifier).to_string_lossy();
    *answer = identifier == "org.example.honestrust";
    OK
}

unsafe extern "C" fn start(
    controller: *mut Controller, input: *const Input, _placeholder: *mut VipsImage,
    _error: *mut Error,
) -> Status {
    (*controller).input = input;
    OK
}

unsafe extern "C" fn get_parameters(
    controller: *mut Controller, json: *mut *const c_char, _error: *mut Error,
) -> Status {
    *json = if (*controller).has_fault { c"{\"fault\":true}" } else { c"{\"fault\":false}" }.as_ptr();
    OK
}

unsafe extern "C" fn set_parameters(
    controller: *mut Controller, json: *const u8, size: usize, _error: *mut Error,
) -> Status {
    let text = String::from_utf8_lossy(std::slice::from_raw_parts(json, size));
    (*controller).has_fault = text.contains("true");
    OK
}

unsafe extern "C" fn render_preview(
    controller: *mut Controller, _preview: *const c_void, image: *mut *mut VipsImage,
    error: *mut Error,
) -> Status {
    let input = (*controller).input;
    ((*input).display_image)(input, image, error)
}

/// Inverts each half on a thread of its own. An odd sample belongs to the second half.
fn turned_around(samples: &[u8]) -> Vec<u8> {
    let (sender, receiver) = mpsc::channel();
    let halves = samples.split_at(samples.len() / 2);
    thread::scope(|scope| {
        for (index, half) in [halves.0, halves.1].into_iter().enumerate() {
            let sender = sender.clone();
            scope.spawn(move || {
                let turned: Vec<u8> = half.iter().map(|sample| 255 - sample).collect();
                sender.send((index, turned)).expect("the receiver waits");
            });
        }
    });
    drop(sender);
    let mut parts: HashMap<usize, Vec<u8>> = receiver.iter().collect();
    let mut result = parts.remove(&0).unwrap_or_default();
    result.extend(parts.remove(&1).unwrap_or_default());
    result
}

unsafe extern "C" fn finish(
    controller: *mut Controller, completion: *const Completion, error: *mut Error,
) -> Status {
    let this = &mut *controller;
    if this.has_fault {
        let nothing: Vec<u8> = Vec::new();
        this.recipe = format!("{}", nothing[this.recipe.len()]);
    }
    let input = &*this.input;
    let mut image = std::ptr::null_mut();
    let status = (input.full_size_image)(this.input, 0, &mut image, error);
    if status != OK {
        return status;
    }
    let mut size = 0;
    let bytes = vips_image_write_to_memory(image, &mut size);
    let (width, height, bands) =
        (vips_image_get_width(image), vips_image_get_height(image), vips_image_get_bands(image));
    g_object_unref(image);
    if bytes.is_null() {
        return FAILED;
    }
    this.pixels = turned_around(std::slice::from_raw_parts(bytes, size));
    g_free(bytes);
    this.output =
        vips_image_new_from_memory(this.pixels.as_ptr(), size, width, height, bands, 0);
    this.recipe = format!("{}x{}", input.full_width, input.full_height);
    let output = Output {
        struct_size: size_of::<Output>() as u32,
        adjustment: Adjustment {
            format_identifier: c"org.example.honestrust".as_ptr(),
            format_version: c"1.0".as_ptr(),
            data: this.recipe.as_ptr().cast(),
            size: this.recipe.len(),
        },
        image: this.output,
        rendered_content_type: std::ptr::null(),
        profile: std::ptr::null(),
    };
    ((*completion).complete)(completion, OK, &output, std::ptr::null());
    OK
}

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
    abi_minor: 0,
    identifier: c"org.example.honestrust".as_ptr(),
    version: c"1.0".as_ptr(),
    get_capability,
};

/// The only symbol that the library exports.
#[no_mangle]
pub extern "C" fn editing_extension_entry(_host: *const c_void) -> *const Entry {
    &ENTRY
}
