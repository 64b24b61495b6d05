import { OPTIONS, sheets, stylesheet } from '../../../pages/parts/asset.ts'

export const SOCIAL_STYLE = stylesheet('/social/', ...OPTIONS, ...sheets(import.meta.url, 'social'))
