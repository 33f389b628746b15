// SPDX-License-Identifier: Apache-2.0
// What browsers have and the type checker does not know yet. The page does not load this file.

interface HTMLElement {
    popover: 'auto' | 'manual' | null;
    showPopover(): void;
    hidePopover(): void;
    togglePopover(): boolean;
}

interface URLSearchParams {
    readonly size: number;
}

/** The attributes of an element that the page makes, with its listeners. */
interface Attributes {
    onclick?: (event: MouseEvent) => void;
    onkeydown?: (event: KeyboardEvent) => void;
    onkeyup?: (event: KeyboardEvent) => void;
    onpointerdown?: (event: PointerEvent) => void;
    [name: string]: any;
}
