// Trees that the program wrote as nested <details>, down to some depth; opening a node adds from the data what it lacks.
import { figure } from './cells';
import { at, number, text, type Json, type Struct } from './data';
import { all, h, show } from './dom';
import { grouped, shown } from './format';

const kBatch = 50;

function children(node: Struct): Struct[] {
  return (node['children'] as Struct[] | undefined) ?? [];
}

function directItems(list: Element): HTMLLIElement[] {
  return [...list.children].filter((c): c is HTMLLIElement => c instanceof HTMLLIElement && c.dataset.i !== undefined);
}

export class Tree {
  readonly root: Struct | undefined;
  private readonly packages: boolean;
  private readonly largest: number;

  constructor(readonly element: HTMLElement, data: Json | undefined,
              private readonly extra?: (path: number[]) => HTMLElement | undefined) {
    this.packages = element.dataset.tree === 'package';
    const root = at(data, element.dataset.json ?? '');
    this.root = root && typeof root === 'object' && !Array.isArray(root) ? root : undefined;
    this.largest = number(this.root?.['retained']);
    if (this.root) {
      this.adopt(directItems(element)[0], this.root, []);
    }
    this.toolbar();
    element.addEventListener('keydown', (event) => this.key(event));
  }

  private toolbar(): void {
    const set = (open: boolean) => () => {
      all<HTMLDetailsElement>('details', this.element).forEach((d) => (d.open = open));
    };
    this.element.before(h('div', { class: 'toolbar' },
      h('button', { type: 'button', click: set(true) }, 'Open all'),
      ' ', h('button', { type: 'button', click: set(false) }, 'Close all')));
  }

  /** Arrows move among the nodes that can be seen, and open and close them. */
  private key(event: KeyboardEvent): void {
    const from = (event.target as HTMLElement).closest('summary');
    if (!from || from !== event.target) {
      return;
    }
    const details = from.parentElement as HTMLDetailsElement;
    if (event.key === 'ArrowRight') {
      details.open = true;
    } else if (event.key === 'ArrowLeft') {
      details.open = false;
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const seen = all('summary', this.element).filter((s) => s.offsetParent !== null);
      seen[seen.indexOf(from) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  private line(node: Struct): (HTMLElement | string)[] {
    const retained = figure('bytes', number(node['retained']), this.largest);
    const figures = this.packages
      ? [retained, figure('share', number(node['retained_bp'])), figure('count', number(node['instances'])),
         h('span', { class: 'unit' }, number(node['instances']) === 1 ? ' object' : ' objects')]
      : [retained, h('span', { class: 'unit' }, ' shallow '), figure('bytes', number(node['shallow']))];
    const label = h('code', {}, shown(text(node[this.packages ? 'name' : 'label'])));
    return [h('span', { class: 'name' }, label), ' ', h('span', { class: 'figures' }, ...figures)];
  }

  /** What stands beside the line, since what can be opened may hold no link and no button. */
  private beside(node: Struct, path: number[]): HTMLElement | undefined {
    const address = text(node['address']);
    return this.packages
      ? this.extra?.(path)
      : h('a', { class: 'card', href: `#obj-${address}` }, address);
  }

  private make(node: Struct, path: number[]): HTMLLIElement {
    const li = h('li', { 'data-i': path[path.length - 1] ?? 0 });
    if (children(node).length === 0) {
      li.append(h('div', { class: 'leaf' }, ...this.line(node)), this.beside(node, path) ?? '');
    } else {
      li.append(h('details', {}, h('summary', {}, ...this.line(node)), h('ul')), this.beside(node, path) ?? '');
      this.adopt(li, node, path);
    }
    return li;
  }

  /** Lets a node of the page grow when it is opened. */
  private adopt(li: HTMLLIElement | undefined, node: Struct, path: number[]): void {
    if (!li || children(node).length === 0) {
      return;
    }
    let details = li.querySelector<HTMLDetailsElement>(':scope > details');
    const leaf = li.querySelector<HTMLElement>(':scope > .leaf');
    if (!details && leaf) {
      details = h('details', {}, h('summary', {}, ...[...leaf.childNodes]), h('ul'));
      leaf.replaceWith(details);
    } else if (this.packages && !li.querySelector(':scope > button')) {
      li.append(this.beside(node, path) ?? '');
    }
    const list = details?.querySelector<HTMLUListElement>(':scope > ul');
    if (!details || !list) {
      return;
    }
    directItems(list).forEach((item, i) => this.adopt(item, children(node)[i], [...path, i]));
    const first = () => this.grow(list, node, path, kBatch);
    if (details.open) {
      first();
    } else {
      details.addEventListener('toggle', first, { once: true });
    }
  }

  private grow(list: HTMLUListElement, node: Struct, path: number[], count: number): void {
    const nodes = children(node);
    const have = directItems(list).length;
    const end = Math.min(nodes.length, Math.max(have, kBatch, have + count - kBatch));
    list.querySelector(':scope > .grow')?.remove();
    for (let i = have; i < end; ++i) {
      list.append(this.make(nodes[i], [...path, i]));
    }
    if (end < nodes.length) {
      list.append(h('li', { class: 'grow' }, h('button', {
        type: 'button', click: () => this.grow(list, node, path, 2 * kBatch),
      }, `Show more of ${grouped(nodes.length - end)}`)));
    }
  }

  /** Opens the tree down to a node and shows it. */
  reveal(path: number[]): void {
    let li = directItems(this.element)[0];
    let node = this.root;
    for (const index of path) {
      const details = li?.querySelector<HTMLDetailsElement>(':scope > details');
      const list = details?.querySelector<HTMLUListElement>(':scope > ul');
      if (!node || !details || !list) {
        return;
      }
      details.open = true;
      while (directItems(list).length <= index && directItems(list).length < children(node).length) {
        this.grow(list, node, path, 2 * kBatch);
      }
      li = directItems(list)[index];
      node = children(node)[index];
    }
    if (li) {
      show(li.querySelector<HTMLElement>('summary, .leaf') ?? li);
    }
  }
}
