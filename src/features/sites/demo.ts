import { call, type Happening } from '../../demo/happening.ts'

export const SITES: readonly Happening[] = [
  call(0.1, '/sites', {
    name: 'Kestrel Studio',
    subdomain: 'kestrel-studio',
    prompt:
      'A quiet site for our studio: the presses with a photo each, when members can come, the next printing days, and how to find us at 14 Foundry Lane.',
  }),
]
