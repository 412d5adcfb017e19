// Elements are made from names and text nodes only; no text from the dump is ever parsed as HTML.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
  return element;
}

/** An element with attributes (functions become listeners) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function all<T extends Element = HTMLElement>(selector: string, root: ParentNode = document): T[] {
  return [...root.querySelectorAll<T>(selector)];
}

/** Opens what the element is folded into, brings it into view and marks it for a moment. */
export function show(element: HTMLElement): void {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) {
      at.open = true;
    }
  }
  element.scrollIntoView({ block: /^H\d$/.test(element.tagName) ? 'start' : 'center' });
  element.classList.remove('flash');
  void element.offsetWidth;
  element.classList.add('flash');
}

const announcer = h('div', { class: 'announcer', role: 'status', 'aria-live': 'polite' });

/** Says something to those who do not see the page. */
export function announce(text: string): void {
  if (!announcer.isConnected) {
    document.body.append(announcer);
  }
  announcer.textContent = text;
}
