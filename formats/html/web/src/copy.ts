// Buttons that copy: beside the name that is pointed at or focused, and at paths and stacks.
import { all, announce, h } from './dom';

async function copy(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    const area = h('textarea', { class: 'announcer' });
    area.value = value;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  announce('Copied');
}

/** A button that copies `value`; a value that begins with # is made a link to this page. */
export function copyButton(what: string, value: string | (() => string), label = 'Copy'): HTMLButtonElement {
  const button = h('button', {
    type: 'button', class: 'copy', title: `Copy ${what}`, 'aria-label': `Copy ${what}`, click: (event) => {
      event.stopPropagation();
      event.preventDefault();
      const chosen = typeof value === 'function' ? value() : value;
      void copy(chosen.startsWith('#') ? location.href.split('#')[0] + chosen : chosen);
      button.classList.add('done');
      setTimeout(() => button.classList.remove('done'), 1000);
    },
  }, label);
  return button;
}

function blockText(block: HTMLElement): string {
  const parts = block.tagName === 'OL' ? [...block.children] : [block];
  return parts.map((part) => `${block.tagName === 'OL' ? 'at ' : ''}${part.querySelector('code')?.textContent ?? part.textContent}`)
    .join('\n');
}

export function enhanceCopying(): void {
  for (const block of all('main [data-copy]')) {
    const button = copyButton(block.dataset.copy ?? 'this', () => blockText(block));
    if (block.tagName === 'OL') {
      block.before(h('div', { class: 'toolbar' }, button));
    } else {
      block.append(button);
    }
  }
  let current: Element | undefined;
  const floating = copyButton('this name', () => current?.textContent ?? '');
  floating.classList.add('floating');
  const follow = (event: Event) => {
    const target = event.target as Element;
    const code = target.closest?.('main code, dialog code') ??
      (event.type === 'focusin' ? target.querySelector?.(':scope > .name > code') : null);
    if (code && code !== current && !code.closest('[data-copy] > code')) {
      current = code;
      code.after(floating);
    }
  };
  document.addEventListener('mouseover', follow);
  document.addEventListener('focusin', follow);
}
