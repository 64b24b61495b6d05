import { stylesheet } from '../parts/stylesheet.ts'

export const CONNECT_STYLE = stylesheet('/connect/', new URL('./connect.css', import.meta.url))
