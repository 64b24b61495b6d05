import { OPTIONS, sheets, stylesheet } from '../../../pages/parts/stylesheet.ts'

export const SOCIAL_STYLE = stylesheet('/social/', ...OPTIONS, ...sheets(import.meta.url, 'social'))
