/** Text that is harmless nowhere but in memory: one sample of each class of character that a terminal would obey or hide. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'C0: an escape sequence': '\u001b[2J',
  'C0: a title of the window': '\u001b]0;owned\u0007',
  'C0: a carriage return': 'good\rbad',
  'C0: a line feed': 'one\ncatalog: forged',
  'C0: a tab and a backspace': 'a\tb\u0008c',
  DEL: '\u007f',
  'C1: an escape sequence of one character': '\u009b31m',
  'C1: a next line': 'one\u0085two',
  'bidi: an override': 'safe\u202egpj.exe\u202c',
  'bidi: an isolate': '\u2066left\u2069',
  'bidi: marks': '\u200e\u200f\u061c',
  'wide line breaks': 'one\u2028two\u2029three',
  'zero width': 'ad\u200bmin\u200c\u200d\u2060',
  'a byte order mark': '\ufeffad',
  'a soft hyphen and a filler': 'ad\u00admin\u3164',
  'a variation selector': 'a\ufe0f',
  'a tag, beyond the first plane': 'a\u{e0041}',
  'a lone surrogate': 'a\ud800b',
};

/** What no byte of output may hold, in its UTF-8 form, beside the line feeds that end lines. */
export const DECEIVES = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
