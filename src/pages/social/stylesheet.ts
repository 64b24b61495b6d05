import { OPTIONS, sheets, stylesheet } from '../parts/stylesheet.ts'

export const SOCIAL_STYLE = stylesheet('/social/', ...OPTIONS, ...sheets(import.meta.url, 'social'))
