// Where the memory is, as areas: the package tree or the biggest objects with what they dominate, as a treemap or as
// layers (an icicle). d3-hierarchy computes the places; everything is drawn with elements that can be focused.
import { hierarchy, partition, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy';
import { number, rows, text, at, type Json, type Struct } from './data';
import { all, announce, h } from './dom';
import { bytes, shown, share } from './format';

export interface MapNode {
  name: string;
  retained: number;
  children: MapNode[];
  address?: string;
  path?: number[];
}

const kMostTiles = 400;
const kLeastSide = 4;
const kLayerHeight = 30;
const kLayers = 12;
const kHues = 8;

function packageNode(node: Struct, path: number[]): MapNode {
  return {
    name: text(node['name']),
    retained: number(node['retained']),
    path,
    children: ((node['children'] as Struct[]) ?? []).map((child, i) => packageNode(child, [...path, i])),
  };
}

export function dominated(node: Struct): MapNode {
  return {
    name: text(node['label']),
    retained: number(node['retained']),
    address: text(node['address']),
    children: ((node['children'] as Struct[]) ?? []).map(dominated),
  };
}

/** The whole heap: its biggest objects, under each what the leak suspects tell of it. */
function objects(data: Json): MapNode {
  const trees = new Map<string, MapNode>();
  for (const suspect of rows(data, 'leaks.suspects')) {
    if (suspect['tree']) {
      const tree = dominated(suspect['tree'] as Struct);
      trees.set(text(suspect['address']) || (tree.address ?? ''), tree);
    }
  }
  const children = rows(data, 'top.biggest_objects').map((row): MapNode => {
    const address = text(row['address']);
    const tree = trees.get(address);
    const below = !tree ? [] : tree.address === address ? tree.children : [tree];
    return { name: text(row['label']), retained: number(row['retained']), address, children: below };
  });
  return { name: 'Used heap', retained: number(at(data, 'overview.total_shallow')), children };
}

/** What a node holds beyond its children. */
function own(node: MapNode): number {
  return Math.max(0, node.retained - node.children.reduce((sum, child) => sum + child.retained, 0));
}

function withRest(node: MapNode, depth: number): MapNode {
  if (node.children.length === 0 || depth === 0) {
    return { ...node, children: [] };
  }
  const rest = own(node);
  const children = node.children.map((child) => withRest(child, depth - 1));
  if (rest > 0) {
    children.push({ name: 'everything else', retained: rest, children: [] });
  }
  return { ...node, children };
}

type Placed = HierarchyRectangularNode<MapNode>;

export class HeapMap {
  private readonly area = h('div', { class: 'area' });
  private readonly crumbs = h('div', { class: 'crumbs' });
  private readonly choices: Map<string, { label: string; root: MapNode }>;
  private trail: MapNode[];
  private layers = false;

  constructor(private readonly place: HTMLElement, private readonly whole: number, roots: [string, MapNode][],
              private readonly open: (node: MapNode) => void, private readonly inTree?: (path: number[]) => void) {
    this.choices = new Map(roots.map(([label, root]) => [label, { label, root }]));
    this.trail = [roots[0][1]];
    const buttons = [...this.choices.values()].map(({ label, root }, i) => this.choice(label, 'root', i === 0, () => {
      this.trail = [root];
    }));
    const shapes = ['Treemap', 'Layers'].map((label, i) => this.choice(label, 'shape', i === 0, () => {
      this.layers = i === 1;
    }));
    place.replaceChildren(
      h('figure', { class: 'map', 'aria-label': 'Map of the heap' },
        h('div', { class: 'toolbar' }, ...(buttons.length > 1 ? [this.group('What', buttons)] : []),
          this.group('Shape', shapes)),
        this.crumbs, this.area));
    place.addEventListener('keydown', (event) => {
      if ((event.key === 'Backspace' || event.key === 'Escape') && this.trail.length > 1) {
        this.back();
        event.preventDefault();
      }
    });
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.draw();
  }

  private group(label: string, buttons: HTMLElement[]): HTMLElement {
    return h('div', { class: 'choices', role: 'group', 'aria-label': label }, ...buttons);
  }

  private choice(label: string, group: string, pressed: boolean, apply: () => void): HTMLElement {
    const button = h('button', {
      type: 'button', 'data-group': group, 'aria-pressed': String(pressed), click: () => {
        all(`[data-group=${group}]`, this.place).forEach((b) => b.setAttribute('aria-pressed', String(b === button)));
        apply();
        this.draw();
      },
    }, label);
    return button;
  }

  private get current(): MapNode {
    return this.trail[this.trail.length - 1];
  }

  private back(): void {
    this.trail.pop();
    this.draw();
    this.area.querySelector<HTMLElement>('button')?.focus();
  }

  private enter(nodes: MapNode[]): void {
    this.trail = [...this.trail, ...nodes];
    this.draw();
    announce(`${shown(this.current.name)}, ${bytes(this.current.retained)}`);
    this.area.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }

  /** Shows the package at a path below the root. */
  showPackage(path: number[]): void {
    const first = [...this.choices.values()][0];
    all<HTMLButtonElement>('[data-group=root]', this.place)[0]?.click();
    this.trail = [first.root];
    for (const index of path) {
      const next: MapNode | undefined = this.current.children[index];
      if (next && next.children.length > 0) {
        this.trail.push(next);
      }
    }
    this.draw();
    this.place.scrollIntoView({ block: 'center' });
    this.area.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }

  private describe(node: MapNode): string {
    const basisPoints = this.whole > 0 ? Math.floor((node.retained / this.whole) * 10000) : 0;
    return `${shown(node.name)}: ${bytes(node.retained)}, ${share(basisPoints)} of the used heap`;
  }

  private drawCrumbs(): void {
    const links = this.trail.map((node, i) => i + 1 === this.trail.length
      ? h('span', { 'aria-current': 'true' }, shown(node.name))
      : h('button', { type: 'button', class: 'crumb', click: () => {
          this.trail.length = i + 1;
          this.draw();
        } }, shown(node.name)));
    const path = this.current.path;
    this.crumbs.replaceChildren(
      h('button', { type: 'button', class: 'back', disabled: this.trail.length < 2, click: () => this.back() }, '← Back'),
      ...links.flatMap((link, i) => (i === 0 ? [' ', link] : [' › ', link])),
      h('span', { class: 'n' }, ` ${bytes(this.current.retained)} `),
      ...(path && this.inTree
        ? [h('button', { type: 'button', click: () => this.inTree?.(path) }, 'Show in the table')]
        : this.current.address
          ? [h('button', { type: 'button', click: () => this.open(this.current) }, 'Show the object')]
          : []));
  }

  private places(width: number): Placed[] {
    const depth = this.layers ? kLayers - 1 : 2;
    const root = hierarchy(withRest(this.current, depth), (node) => node.children)
      .sum((node) => (node.children.length === 0 ? node.retained : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const height = this.layers ? (root.height + 1) * kLayerHeight : Math.max(260, Math.min(440, Math.round(width * 0.5)));
    this.area.style.height = `${height}px`;
    const placed = this.layers
      ? partition<MapNode>().size([width, height]).padding(1)(root)
      : treemap<MapNode>().tile(treemapSquarify).size([width, height]).paddingOuter(3)
          .paddingTop((node) => (node.depth === 0 ? 0 : 20)).paddingInner(2)
          .round(true)(root);
    return placed.descendants()
      .filter((node) => (this.layers || node.depth > 0) && node.x1 - node.x0 >= kLeastSide && node.y1 - node.y0 >= kLeastSide)
      .slice(0, kMostTiles);
  }

  private tile(placed: Placed): HTMLElement {
    const node = placed.data;
    const top = placed.ancestors().slice(-2)[0];
    const hue = placed.depth === 0 ? 'whole' : node.name === 'everything else' && !node.path && !node.address
      ? 'rest' : `hue${(top.parent?.children?.indexOf(top) ?? 0) % kHues}`;
    const element = h('button', {
      type: 'button', class: `tile ${hue} d${Math.min(placed.depth, 2)}`, title: this.describe(node), click: () => this.choose(placed),
    }, h('span', {}, shown(node.name)), ' ', h('span', { class: 'n' }, bytes(node.retained)));
    const style = element.style;
    [style.left, style.top] = [`${placed.x0}px`, `${placed.y0}px`];
    [style.width, style.height] = [`${placed.x1 - placed.x0}px`, `${placed.y1 - placed.y0}px`];
    return element;
  }

  private choose(placed: Placed): void {
    const chain = placed.ancestors().reverse().slice(1);
    const nodes: MapNode[] = [];
    let at = this.current;
    for (const step of chain) {
      const next = at.children.find((child) => child.name === step.data.name && child.address === step.data.address);
      if (!next) {
        return;
      }
      nodes.push(next);
      at = next;
    }
    if (at.children.length > 0 && nodes.length > 0) {
      this.enter(nodes);
    } else if (at.path && this.inTree && nodes.length > 0) {
      this.inTree(at.path);
    } else if (nodes.length > 0) {
      this.open(at);
    }
  }

  private draw(): void {
    const width = this.area.clientWidth;
    if (width === 0) {
      return;
    }
    this.drawCrumbs();
    this.area.replaceChildren(...this.places(width).map((placed) => this.tile(placed)));
  }
}

export function heapMap(place: HTMLElement, data: Json, open: (node: MapNode) => void,
                        inTree: (path: number[]) => void): HeapMap {
  const root = at(data, 'top.biggest_packages');
  const roots: [string, MapNode][] = [
    ['Packages', packageNode((root as Struct) ?? {}, [])], ['Biggest objects', objects(data)],
  ];
  return new HeapMap(place, number(at(data, 'overview.total_shallow')), roots, open, inTree);
}
