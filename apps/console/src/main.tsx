import "./styles/layers.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/print.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { Fragment, StrictMode } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queries } from "./api/client.ts";
import { PREFIX } from "./api/prefix.ts";
import { App } from "./App.tsx";
import { currentLocale, showLanguage, useLanguage } from "./texts/language.ts";
import { showIconTitles } from "./ui/icons/icon-titles.ts";

/** All pages, which are rendered again after another language was chosen. */
const Translated = () => {
  const language = useLanguage();
  return (
    <I18nProvider locale={currentLocale()}>
      <Fragment key={language}>
        <App />
      </Fragment>
    </I18nProvider>
  );
};

showIconTitles();
void showLanguage().then(() =>
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base={PREFIX}>
          <Translated />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
