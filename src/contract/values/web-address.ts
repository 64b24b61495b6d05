/** Whether a text is an http or https URL without credentials. */
export function isWebAddress(given: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(given) || !URL.canParse(given)) return false
  const { username, password, hostname } = new URL(given)
  return username === '' && password === '' && hostname !== ''
}
