import { choice, count } from '../../settings/forms.ts'

export const FORMATION_SETTINGS = {
  FILING_AGENT: [
    choice(['by_hand']).optional(),
    'Who files company formations of live accounts; `by_hand`: people, with `npm run filings`. Without it, only the trial agent files, which files with no authority',
  ],
  FORMATION_FEE: [count(0, 99_999_999).default(29_900), 'Price of a formation filed by hand, in US cents'],
} as const
