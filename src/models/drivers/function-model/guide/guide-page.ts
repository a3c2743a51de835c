/** A help page that ships with the service. Each section is searched and shown by itself. */
export interface HelpPage {
  title: string;
  /** Words that people use for the subject and the text does not. */
  keywords: string;
  /** Pages of the web UI where the subject is at home. */
  links: { label: string; path: string }[];
  sections: { heading: string; /** Markdown. */ text: string }[];
}
