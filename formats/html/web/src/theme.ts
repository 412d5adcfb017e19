// Light, dark, or what the system says.
import { h } from './dom';

const kThemes = ['auto', 'dark', 'light'] as const;
type Theme = (typeof kThemes)[number];
const kKey = 'hprof-report-theme';

function stored(): Theme {
  try {
    const theme = localStorage.getItem(kKey);
    return kThemes.find((known) => known === theme) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** At once, so that no page flashes up in the other one. */
export function applyTheme(theme = stored()): void {
  document.documentElement.dataset.theme = theme;
}

export function themeButton(place: HTMLElement): void {
  let theme = stored();
  const button = h('button', { type: 'button', id: 'theme' });
  const apply = () => {
    applyTheme(theme);
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener('click', () => {
    theme = kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length];
    apply();
    try {
      localStorage.setItem(kKey, theme);
    } catch {
      // Then it is forgotten with the page.
    }
  });
  apply();
  place.append(button);
}
