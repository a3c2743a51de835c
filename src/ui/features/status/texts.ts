import { inLanguage } from "../../languages/app.ts";

/** Texts of a person's status. */
export const texts = inLanguage("status", {
  set: "Set a status",
  title: "Your status",
  text: "What are you doing?",
  placeholder: "e.g. In a meeting",
  emoji: "Choose an emoji",
  clearAfter: "Clear it",
  ends: {
    never: "Never",
    halfHour: "In 30 minutes",
    hour: "In 1 hour",
    fourHours: "In 4 hours",
    today: "Today",
    week: "This week",
    kept: "At the time that is set",
  },
  hint: "People of your organization see it in channels.",
  save: "Save",
  clear: "Clear status",
  failed: "The status couldn't be saved",
  usual: {
    meeting: "In a meeting",
    lunch: "Out for lunch",
    home: "Working from home",
    holiday: "On holiday",
    sick: "Out sick",
  },
});
