import { OPTIONS, sheets, stylesheet } from '../parts/stylesheet.ts'

export const CONNECT_STYLE = stylesheet('/connect/', ...OPTIONS, ...sheets(import.meta.url, 'connect'))
