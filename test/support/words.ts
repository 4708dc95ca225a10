/** Words as a list, where each would take a line of its own. */
export function words(text: string): string[] {
  return text.split(' ');
}
