/** A help page that ships with the service. Each section is searched and shown by itself. */
export interface HelpPage {
  title: string;
  /** Words that people use for the subject but that are not in the text. */
  keywords: string;
  /** Related pages of the web UI. */
  links: { label: string; path: string }[];
  sections: { heading: string; /** Markdown. */ text: string }[];
}
