import "./styles/layers.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/print.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queries } from "./api/client.ts";
import { PREFIX } from "./api/prefix.ts";
import { App } from "./App.tsx";
import { showIconTitles } from "./ui/icons/icon-titles.ts";

showIconTitles();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router base={PREFIX}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
