/** Subject and text of the e-mail for a forgotten password. @param name of the service */
export function resetMail({ name, link }: { name: string; link: string }): { subject: string; text: string } {
  return {
    subject: `A new password for ${name}`,
    text: `Hello,

somebody asked for a new password for your account at ${name}. Open this link to choose one:

${link}

The link works once, and ends after one hour. If it was not you, ignore this e-mail: your password stays as it is.
`,
  };
}
