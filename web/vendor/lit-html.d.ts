// The types of lit-html, as far as the page uses it.
type Template = (strings: TemplateStringsArray, ...values: unknown[]) => unknown;
export const html: Template;
export const svg: Template;
export const nothing: unique symbol;
export function render(value: unknown, container: HTMLElement): unknown;
